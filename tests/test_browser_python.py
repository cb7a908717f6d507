"""Python for the browser: only what is pinned is kept, whole or not at all."""

import gzip
import io
import tarfile
from pathlib import Path

import pytest

import webapp.browser_python as browser_python
from webapp.browser_python import FILES, CannotFetch, check, fetch, folder_in, is_there, keep


def package(folder: Path, names: tuple[str, ...] = FILES) -> Path:
    file = folder / "package.tgz"
    with tarfile.open(file, "w:gz") as archive:
        for name in (*names, "README.md", "../outside"):
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(name)
            archive.addfile(entry, io.BytesIO(name.encode()))
    return file


def quiet(sentence: str) -> None:
    """Nobody listens."""


def test_anything_but_what_is_pinned_is_refused() -> None:
    with pytest.raises(CannotFetch, match="is not the file that this version of Noughts expects"):
        check(b"something else")


def test_its_files_are_kept_with_their_compressed_form_and_nothing_else(tmp_path: Path) -> None:
    instance = tmp_path / "instance"
    (instance / "browser-python" / "1.0").mkdir(parents=True)  # of an older version of the site
    keep(package(tmp_path), instance, quiet)
    kept = {path.name: path.read_bytes() for path in folder_in(instance).iterdir()}
    assert kept.keys() == {*FILES, *(f"{name}.gz" for name in FILES)}
    assert all(gzip.decompress(kept[f"{name}.gz"]) == kept[name] == name.encode() for name in FILES)
    assert [path.name for path in (instance / "browser-python").iterdir()] == [browser_python.VERSION]


def test_what_was_cut_off_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        keep(package(tmp_path, FILES[:3]), tmp_path, quiet)
    assert not is_there(tmp_path) and not list((tmp_path / "browser-python").iterdir())


@pytest.mark.slow
def test_without_a_network_a_sentence_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:1")
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("PIP_RETRIES", "0")
    with pytest.raises(CannotFetch, match="Connect this machine to the network"):
        fetch(tmp_path, quiet)
    assert not is_there(tmp_path)
