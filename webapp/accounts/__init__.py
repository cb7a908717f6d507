"""Who people are: accounts, guests, passwords, sessions."""
