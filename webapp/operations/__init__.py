"""What a host does with the database: check it, back it up, restore it. Knows no request and no page."""
