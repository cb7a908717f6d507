"""A real OpenID provider on this machine: Django with django-oauth-toolkit, as schools run it, on an SQLite file.

    python -m tests.single_sign_on.provider PORT FOLDER REDIRECT_URI

It has two people, zoe and max, with the password "school password", and one client, "noughts" with "client secret".
"""

import os
import sys
from pathlib import Path

import django
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.conf import settings
from django.core.management import call_command

PEOPLE, PASSWORD = ("zoe", "max"), "school password"
CLIENT, SECRET = "noughts", "client secret"
LOG_IN_PAGE = """<form method="post">{% csrf_token %}{{ form }}<button>Log in</button></form>"""


def configure(folder: Path) -> None:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    (folder / "registration").mkdir(exist_ok=True)
    (folder / "registration" / "login.html").write_text(LOG_IN_PAGE)
    settings.configure(
        SECRET_KEY="for tests only",
        ALLOWED_HOSTS=["127.0.0.1"],
        ROOT_URLCONF="tests.single_sign_on.provider_urls",
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": folder / "provider.db"}},
        INSTALLED_APPS=[
            "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "oauth2_provider",
        ],
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
        ],
        TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": [folder], "APP_DIRS": True}],
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        LOGIN_URL="/accounts/login/",
        USE_TZ=True,
        SESSION_COOKIE_NAME="school_session",  # browsers keep cookies by host, not by port
        CSRF_COOKIE_NAME="school_token",
        OAUTH2_PROVIDER={
            "OIDC_ENABLED": True,
            "OIDC_RSA_PRIVATE_KEY": key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode(),
            "OAUTH2_VALIDATOR_CLASS": "tests.single_sign_on.claims.Claims",
            "SCOPES": {"openid": "who you are", "profile": "what you are called"},
            "PKCE_REQUIRED": True,
        },
    )  # fmt: skip
    django.setup()


def fill(redirect_uri: str) -> None:
    from django.contrib.auth.models import User
    from oauth2_provider.models import Application

    call_command("migrate", verbosity=0)
    for name in PEOPLE:
        User.objects.create_user(name, password=PASSWORD)
    Application.objects.create(
        name="Noughts", client_id=CLIENT, client_secret=SECRET, redirect_uris=redirect_uri, skip_authorization=True,
        client_type="confidential", authorization_grant_type="authorization-code", algorithm="RS256",
    )  # fmt: skip


if __name__ == "__main__":
    port, folder, redirect_uri = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    configure(folder)
    fill(redirect_uri)
    call_command("runserver", f"127.0.0.1:{port}", "--noreload", "--nothreading", verbosity=0)
