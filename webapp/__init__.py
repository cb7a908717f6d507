"""Noughts: tic-tac-toe and the minimax search behind it, as a website for a class."""
