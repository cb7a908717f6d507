"""The forms of accounts. They carry fields; what is right is decided by the services."""

from collections.abc import Mapping
from typing import Any

from flask import request
from flask_wtf import FlaskForm
from wtforms import HiddenField, PasswordField, StringField


class TextForm(FlaskForm):
    """A form whose fields are text. By itself Flask-WTF also takes files and JSON, and hands them on as they come."""

    class Meta(FlaskForm.Meta):
        def wrap_formdata(self, form: FlaskForm, formdata: object) -> Any:
            return request.form if request.method == "POST" else None


class SignUpForm(TextForm):
    name = StringField("User name")
    password = PasswordField("Password")
    next = HiddenField()


class LogInForm(SignUpForm):
    pass


class PasswordForm(TextForm):
    current_password = PasswordField("Current password")
    new_password = PasswordField("New password")


class NameForm(TextForm):
    name = StringField("New user name")


def show_errors(form: FlaskForm, sentences: Mapping[str, str]) -> None:
    """Put each sentence at its field, or above the form if there is no such field. The first of these fields gets the
    focus, with scripts off too.
    """
    form.form_errors = [sentence for name, sentence in sentences.items() if name not in form]
    wrong = [field for field in form if field.name in sentences]
    for field in wrong:
        field.errors = [sentences[field.name]]
    for first in wrong[:1]:
        first.render_kw = {"autofocus": True}
