"""A stand-in for pygame, which one of the sheets tells students to install: it can be imported, and draws nothing.

Standard library only. So the functions of a file with a window can be checked where there is none."""

import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.abc import Loader
else:
    Loader = object  # importlib.abc takes as long to import as Python to start

PACKAGE = "pygame"


class Nothing:
    """Stands for whatever pygame has: it can be called, asked for anything, and built upon."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __call__(self, *_: Any, **__: Any) -> "Nothing":
        return self

    def __getattr__(self, name: str) -> "Nothing":
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter(())


class Events(Nothing):
    """Who waits for a key or a mouse has begun to play, and nobody is there: as with input()."""

    def __call__(self, *_: Any, **__: Any) -> Nothing:
        raise EOFError("a window waits for a key or a mouse")

    def __getattr__(self, name: str) -> "Events":
        return Events()


class StandIn(ModuleType):
    """The package, or one of its modules."""

    def __getattr__(self, name: str) -> Nothing:
        if name.startswith("__"):
            raise AttributeError(name)
        return Events() if name == "event" else Nothing()


class Finder(Loader):
    """Gives the stand-in for the package and for each of its modules."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return ModuleSpec(name, self, is_package=True) if name.partition(".")[0] == PACKAGE else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return StandIn(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


def stand_in() -> None:
    """From now on the stand-in is imported, also where the real one is installed."""
    sys.meta_path.insert(0, Finder())
