"""Keeps the templates compiled in the instance folder: to compile them all takes longer than the rest of a start."""

from contextlib import suppress
from pathlib import Path
from pickle import PickleError  # Jinja writes the number that tells its source as a pickle

from flask import Flask
from jinja2 import FileSystemBytecodeCache
from jinja2 import __version__ as jinja_version
from jinja2.bccache import Bucket

from webapp.extensions import settings_of
from webapp.private_files import make_private_folder

FOLDER = "compiled-templates"


class CompiledTemplates(FileSystemBytecodeCache):
    """A file for each template, which holds as long as its source and the version of Jinja are the same."""

    def load_bytecode(self, bucket: Bucket) -> None:
        try:
            super().load_bytecode(bucket)
        except (OSError, EOFError, ValueError, PickleError):  # cut off, or out of reach: as if it were not there
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):  # a full disk, or one that is only read: it will be compiled again next time
            make_private_folder(Path(self.directory))
            super().dump_bytecode(bucket)


def init_app(app: Flask) -> None:
    folder = settings_of(app).instance / FOLDER
    app.jinja_env.bytecode_cache = CompiledTemplates(str(folder), f"{jinja_version}-%s")
