"""Competitions: who entered, who plays whom, the games and what they are worth. Among people, or among agents."""
