"""The app, built for a server: `gunicorn wsgi:app` or any other that speaks WSGI."""

from webapp import create_app

app = create_app()
