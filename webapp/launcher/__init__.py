"""What `python3 run.py` does once a new enough Python reads it. Needs only Python: .venv may not be there yet."""
