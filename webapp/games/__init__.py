"""Games: seats, moves, results, and the answer of the computer."""
