"""`python3 run.py doctor`: looks at everything that a host can get wrong, and says in sentences what to mend."""
