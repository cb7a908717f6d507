"""What a person may ask of their own data: take it along, or have it deleted."""
