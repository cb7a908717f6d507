"""The runner on the desk: a person plays against their own file on a small page of this machine.

Knows the standard library, webapp.tictactoe and how a file is asked."""
