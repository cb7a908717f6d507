"""Checks what a whole class handed in, and writes points, comments and reports for its instructor.

Knows the standard library and the checker of one file."""
