"""What a player looks back on: results, finished games, replays, and the page that others may see."""
