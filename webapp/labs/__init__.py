"""The three course labs: their own functions, and the checker of a student's file.

Knows the standard library and webapp.tictactoe; never Flask, so it runs on a bare Python."""
