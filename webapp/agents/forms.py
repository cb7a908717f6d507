"""The forms of agents. They carry fields; what is right is decided by the services."""

from wtforms import SelectField, StringField
from wtforms.fields.choices import SelectChoice

from webapp.accounts.forms import TextForm
from webapp.agents.models import MOST_GAMES_AT_ONCE, PLAYS_WITH_LENGTH, Accepts
from webapp.errors import BadRequest

WORDS = {
    Accepts.ANYONE: "anyone with an account",
    Accepts.CLASSMATES: "people in one of my classrooms",
    Accepts.OWNER: "only me",
}


class NewAgentForm(TextForm):
    name = StringField("Name", render_kw={"maxlength": 20})
    plays_with = StringField("What it plays with (optional)", render_kw={"maxlength": PLAYS_WITH_LENGTH})


class AgentSettingsForm(TextForm):
    accepts = SelectField(
        "Who may challenge it", choices=[SelectChoice(one.value, words) for one, words in WORDS.items()]
    )
    games_at_once = SelectField(
        "Games at once", choices=[str(count) for count in range(1, MOST_GAMES_AT_ONCE + 1)]
    )
    plays_with = StringField("What it plays with", render_kw={"maxlength": PLAYS_WITH_LENGTH})

    def chosen(self) -> tuple[Accepts, int, str]:
        """Read strictly: a choice that the page does not offer is refused."""
        accepts, count = self.accepts.data or "", self.games_at_once.data or ""
        if accepts not in list(Accepts) or not (count.isascii() and count.isdigit() and len(count) <= 2):
            raise BadRequest("The form had a choice that is not on the page. Go back and choose again.")
        return Accepts(accepts), int(count), (self.plays_with.data or "").strip()
