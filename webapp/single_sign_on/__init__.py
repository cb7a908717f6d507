"""Log-in through the school: by OpenID Connect, or by a header that its proxy sets. Off unless settings say so."""
