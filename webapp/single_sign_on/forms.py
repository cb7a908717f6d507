"""The forms of who comes from the school for the first time."""

from wtforms import PasswordField, StringField

from webapp.accounts.forms import TextForm


class NewAccountForm(TextForm):
    name = StringField("User name")


class OwnAccountForm(TextForm):
    name = StringField("Name")
    password = PasswordField("Password")
