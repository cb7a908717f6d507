"""Endurance: a class at play while everything around it breaks, one thing after another. `python3 run.py soak`."""
