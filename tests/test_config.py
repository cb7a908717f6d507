"""Settings: read strictly, refused with a sentence; and the key that all processes share."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from webapp import create_app
from webapp.config import FIELDS, ROOT, VARIABLES, BadSetting, database_url, read_settings, secret_key
from webapp.extensions import settings, settings_of

SWITCHES = [name for name, variable in VARIABLES.items() if variable.default in ("on", "off")]
DAYS = [name for name in VARIABLES if name.endswith("_DAYS")]
COUNTS = [name for name, variable in VARIABLES.items() if variable.default.isdigit()]


def test_the_defaults_just_work() -> None:
    settings = read_settings({})
    assert settings.https is False
    assert settings.guests is True
    assert settings.instance == ROOT / "instance"
    assert settings.proxies == 0
    assert settings.hosts == []


def test_an_empty_setting_is_the_default() -> None:
    assert read_settings(dict.fromkeys(VARIABLES, " ")) == read_settings({})


BY_HEADER = {"NOUGHTS_TRUSTED_HEADER": "X-User", "NOUGHTS_TRUSTED_HEADER_FROM": "::1"}  # passwords may be off then
ON, OFF = ["on", "True", "YES", "1"], ["off", "False", "false", "no", "0"]


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_is_what_it_says(name: str) -> None:
    for text in [*ON, *OFF]:
        assert getattr(read_settings({**BY_HEADER, name: text}), FIELDS[name]) is (text in ON), text


def refusals_of(name: str, texts: list[str]) -> dict[str, str]:
    """The sentence with which each of these texts is refused."""
    sentences = {}
    for text in texts:
        try:
            read_settings({name: text})
        except BadSetting as refusal:
            sentences[text] = str(refusal)
    return sentences


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_that_is_neither_is_refused_with_a_sentence(name: str) -> None:
    texts = ["maybe", "2", "none", "offf", "t"]
    assert refusals_of(name, texts) == dict.fromkeys(texts, f"The setting {name} must be on or off.")


@pytest.mark.parametrize("name", COUNTS)
def test_a_number_that_is_none_is_refused_with_a_sentence(name: str) -> None:
    texts = ["-1", "1.5", "many", "1e3", "\u0663", "0x10", "1_000", "1 000"]
    sentence = f"The setting {name} must be a whole number, zero or more."
    assert refusals_of(name, texts) == dict.fromkeys(texts, sentence)


@pytest.mark.parametrize("name", DAYS)
def test_days_that_no_calendar_has_are_refused(name: str) -> None:
    texts = ["0", "3651", "99999999999999999999"]
    sentence = f"The setting {name} must be a number of days from 1 to 3650."
    assert refusals_of(name, texts) == dict.fromkeys(texts, sentence)


@pytest.mark.parametrize("text", ["mysql://root:hunter2@db/x", "noughts.db", "sqlite://", "http://x"])
def test_a_database_that_we_do_not_speak_is_refused_and_its_password_not_repeated(text: str) -> None:
    with pytest.raises(BadSetting, match="DATABASE_URL must be an address that begins with postgresql://") as refusal:
        read_settings({"DATABASE_URL": text})
    assert "hunter2" not in str(refusal.value)


def test_a_key_that_can_be_guessed_is_refused() -> None:
    with pytest.raises(BadSetting, match="NOUGHTS_SECRET_KEY must be at least 16 characters"):
        read_settings({"NOUGHTS_SECRET_KEY": "secret"})


def test_who_may_read_the_metrics_is_an_address_or_a_token_that_is_hard_to_guess() -> None:
    assert read_settings({"NOUGHTS_METRICS": " 10.0.0.0/24, abcdefghijklmnop "}).metrics == [
        "10.0.0.0/24", "abcdefghijklmnop",
    ]  # fmt: skip
    texts = ["everybody", "10.0.0.300", "10.0.0.0/33", "a token with spaces in it", "abc.def.ghi.jkl.mno.pqr"]
    refusals = refusals_of("NOUGHTS_METRICS", texts)
    assert list(refusals) == texts and "addresses such as 10.0.0.5" in refusals["everybody"]
    assert list(refusals_of("NOUGHTS_LOG", ["yaml", "JSON"])) == ["yaml", "JSON"]


def test_hosts_are_a_list_and_told_without_regard_to_case() -> None:
    assert read_settings({"NOUGHTS_HOSTS": " Noughts.example , 10.0.0.7,"}).hosts == [
        "noughts.example", "10.0.0.7",
    ]  # fmt: skip


def test_a_host_that_is_an_address_is_refused_because_it_would_let_nobody_in() -> None:
    texts = ["https://noughts.example", "noughts.example/"]
    assert list(refusals_of("NOUGHTS_HOSTS", texts)) == texts


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_every_name_of_postgresql_means_the_driver_that_we_have(scheme: str) -> None:
    settings = read_settings({"DATABASE_URL": f"{scheme}://me:word@db:5432/noughts?sslmode=require"})
    assert database_url(settings) == "postgresql+psycopg://me:word@db:5432/noughts?sslmode=require"


@pytest.mark.parametrize(
    ("url", "path"), [("", "/srv/n/noughts.db"), ("sqlite:///a.db", "/srv/n/a.db"), ("sqlite:////b/a.db", "/b/a.db")]
)
def test_an_sqlite_file_lies_in_the_instance_folder_unless_it_says_where(url: str, path: str) -> None:
    settings = read_settings({"DATABASE_URL": url, "NOUGHTS_INSTANCE": "/srv/n"})
    assert database_url(settings) == f"sqlite:///{path}"


def test_a_folder_means_the_same_from_wherever_a_command_is_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert read_settings({"NOUGHTS_INSTANCE": "class-a"}).instance == ROOT / "class-a"


def test_settings_of_an_app_come_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_GUESTS", "False")
    monkeypatch.setenv("NOUGHTS_INSTANCE", str(tmp_path))
    app = create_app()
    with app.app_context():
        assert settings().guests is False
    assert not app.debug and not app.testing


def test_flask_s_own_configuration_holds_none_of_our_settings(tmp_path: Path) -> None:
    """There is one place to read them, and it is typed."""
    app = create_app({"NOUGHTS_INSTANCE": str(tmp_path), "NOUGHTS_GUESTS": False, "TESTING": True})
    assert app.testing and not settings_of(app).guests
    assert not app.config.keys() & FIELDS.keys()


# The key

def key_in(folder: Path) -> str:
    return secret_key(read_settings({"NOUGHTS_INSTANCE": str(folder)}))


def test_the_key_is_long_and_made_once_for_the_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "made" / "on the way"
    key = key_in(folder)
    assert len(key) == 64
    assert key_in(folder) == key
    assert key_in(tmp_path / "another") != key
    assert stat.S_IMODE((folder / "secret_key").stat().st_mode) == 0o600
    assert list(folder.iterdir()) == [folder / "secret_key"], "no draft is left behind"


def test_many_processes_that_start_at_once_share_one_key(tmp_path: Path) -> None:
    script = "import sys; sys.stdin.readline(); from webapp.config import *; print(secret_key(read_settings()))"
    environment = {**os.environ, "NOUGHTS_INSTANCE": str(tmp_path / "new"), "NOUGHTS_SECRET_KEY": ""}
    words = [sys.executable, "-c", script]
    processes = [
        subprocess.Popen(words, cwd=ROOT, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(8)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    keys = {process.communicate(timeout=180)[0].strip() for process in processes}
    assert len(keys) == 1
    assert len(keys.pop()) == 64


def test_a_key_from_the_environment_leaves_no_file(tmp_path: Path) -> None:
    settings = read_settings({"NOUGHTS_INSTANCE": str(tmp_path), "NOUGHTS_SECRET_KEY": "a key of the host's own"})
    assert secret_key(settings) == "a key of the host's own"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["", "\n", "short"])
def test_a_key_file_without_a_key_is_refused_with_a_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "secret_key").write_text(text)
    with pytest.raises(BadSetting, match=r"holds no key\. Delete it"):
        key_in(tmp_path)


def test_a_key_file_that_may_not_be_read_is_not_taken_for_a_bad_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To choose another folder would begin with an empty database."""

    def refuse(_: Path) -> str:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "secret_key").touch()
    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(BadSetting, match=r"secret_key cannot be read \(Permission denied\)") as told:
        key_in(tmp_path)
    assert "NOUGHTS_INSTANCE" not in str(told.value)
