"""What is typed after run.py and what the site knows are the same commands."""

from flask import Flask

import webapp.operations.host_commands as host_commands
from webapp.launcher.site_commands import site_commands


def test_what_the_source_tells_is_what_the_site_can_do() -> None:
    app = Flask("commands")
    host_commands.init_app(app)
    assert [command.name for command in site_commands()] == sorted(app.cli.commands)


def test_each_says_what_it_does_and_what_to_type() -> None:
    for command in site_commands():
        assert command.sentence.endswith("."), command
        assert command.usage.startswith(command.name), command
    usages = {command.usage for command in site_commands()}
    assert {"restore FILE", "check-database [PLACE]", "copy-database FROM TO", "purge"} <= usages
