"""The app for any server that speaks WSGI. Under our own, webapp/serving/, pages are told of news; else they ask."""

from webapp import create_app

app = create_app()
