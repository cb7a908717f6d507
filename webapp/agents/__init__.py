"""Programs that play: who owns them, their tokens, the API that they speak, and how they wait without a thread."""
