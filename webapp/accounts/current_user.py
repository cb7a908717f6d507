"""The person of this request as a plain value, read with the session in one statement."""

from dataclasses import dataclass

from flask_login import AnonymousUserMixin, UserMixin


@dataclass(frozen=True)
class CurrentUser(UserMixin):
    id: int
    name: str | None
    must_change_password: bool = False
    is_instructor: bool = False

    @property
    def is_guest(self) -> bool:
        return self.name is None

    @property
    def is_account(self) -> bool:
        return self.name is not None


class Nobody(AnonymousUserMixin):
    """A visitor who has not played yet."""

    id = None
    name = None
    is_guest = False
    is_account = False
    must_change_password = False
    is_instructor = False
