"""The forms of accounts. They carry fields; what is right is decided by the services."""

from flask_wtf import FlaskForm
from wtforms import HiddenField, PasswordField, StringField


class SignUpForm(FlaskForm):
    name = StringField("Name")
    password = PasswordField("Password")
    next = HiddenField()


class LogInForm(SignUpForm):
    pass


class PasswordForm(FlaskForm):
    current_password = PasswordField("Present password")
    new_password = PasswordField("New password")
