"""Judges a student's file against the rules, and explains what is wrong.

Knows the standard library, webapp.tictactoe and the loading of a student's file."""
