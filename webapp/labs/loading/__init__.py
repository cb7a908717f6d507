"""A student's file, loaded in a process of its own and asked questions; it does not judge the answers.

Knows the standard library only."""
