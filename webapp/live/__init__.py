"""Live pages: who listens, what has changed, and the stream that tells them. Sends no board: the page fetches it."""
