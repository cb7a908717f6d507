"""The shared objects that create_app ties to the app, and its settings. Imports nothing else of ours."""

from datetime import datetime
from random import Random

from flask import Flask, current_app
from flask_sqlalchemy import SQLAlchemy
from flask_wtf import CSRFProtect
from sqlalchemy import MetaData
from sqlalchemy.orm import DeclarativeBase

from webapp.config import Settings


class Model(DeclarativeBase):
    """Every table's base. Constraints get names by rule, so that a migration can speak of them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


db = SQLAlchemy(metadata=Model.metadata)
csrf = CSRFProtect()

SETTINGS, RANDOM, BEGAN_AT = "noughts_settings", "noughts_random", "noughts_began_at"


def settings() -> Settings:
    """Of the app whose context this is."""
    return settings_of(current_app)


def settings_of(app: Flask) -> Settings:
    """For what begins with the app, before there is a context. `app.config` holds only what Flask itself reads."""
    found: Settings = app.extensions[SETTINGS]
    return found


def site_began_at() -> datetime:
    """Since when this process has served."""
    began_at: datetime = current_app.extensions[BEGAN_AT]
    return began_at


def app_random() -> Random:
    """What chance decides: from the system, or from a seed that a setting gives."""
    random: Random = current_app.extensions[RANDOM]
    return random
