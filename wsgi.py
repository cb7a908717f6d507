"""The app for any server that speaks WSGI. Under our own, webapp/serving/, pages are told of news; else they ask."""

import sys

from webapp import create_app
from webapp.config import BadSetting

try:
    app = create_app()
except BadSetting as refusal:
    sys.exit(f"Noughts cannot start. {refusal}")
