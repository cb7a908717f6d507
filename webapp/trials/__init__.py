"""A student's own file in their own browser: the page, Python for it, and what a student keeps of a check."""
