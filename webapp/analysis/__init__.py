"""Any position laid open: what it is worth and why, and what each search does to find out."""
