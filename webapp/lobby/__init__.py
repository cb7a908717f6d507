"""The lobby: where people meet."""
