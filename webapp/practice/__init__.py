"""Questions on real positions, asked and checked by the searches; and what each person answered."""
