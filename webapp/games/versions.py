"""What version of a game's page is the newest. It is told in SQL alone: the page prints it, the watcher compares it."""

from sqlalchemy import ColumnElement, String, cast, func

from webapp.games.models import Game


def page_version(game: type[Game], rematch: type[Game]) -> ColumnElement[str]:
    """`rematch` is joined by `rematch_of`: it is another game, and changes this page all the same."""
    version: ColumnElement[str] = cast(game.version, String) + func.coalesce("." + cast(rematch.status, String), "")
    return version
