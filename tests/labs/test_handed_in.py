"""What a class hands in, as schools' systems give it out: whose file is whose, and zips that mean harm."""

import io
import os
import stat
import sys
import zipfile
from pathlib import Path

import pytest

from webapp.labs.checker.labs import LABS
from webapp.labs.grading.archives import MOST_BYTES_A_FILE, MOST_ENTRIES, Budget, CannotOpen, unpack
from webapp.labs.grading.handed_in import HandedIn, Submission
from webapp.labs.grading.likeness import pairs
from webapp.labs.grading.marked import marked
from webapp.labs.loading.notebook import python_source
from webapp.labs.starters import starter

LAB = LABS["tictactoe"]
FILE = starter("tictactoe")
Files = dict[str, str | bytes]


def zipped(files: Files) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return content.getvalue()


def laid_out(folder: Path, files: Files) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def found_in(source: Path) -> tuple[list[Submission], list[str]]:
    with HandedIn(source, LAB) as handed_in:
        return handed_in.submissions(), handed_in.ignored


def taken(source: Path) -> dict[str, str]:
    """Which file of which student."""
    return {f"{found.student} {found.id}".strip(): found.name for found in found_in(source)[0]}


def test_the_names_that_platforms_make_are_known(tmp_path: Path) -> None:
    laid_out(tmp_path, {
        "Müller, Jörg_1234_assignsubmission_file/tictactoe.py": FILE,
        "Anna Bolt_77_assignsubmission_file_tictactoe.py": FILE,
        "curieemma_LATE_5021_90017_tictactoe-1.py": FILE,
        "daledan_5022_90018_tictactoe.py": FILE,
        "daledan_5022_90019_parts.py": "x = 1\n",
        "Lab 4_e5678_attempt_2026-03-01-10-00-00_tictactoe.py": "x = 1\n",
        "Lab 4_e5678_attempt_2026-03-02-09-30-00_tictactoe.py": FILE,
        "6001-7002 - Fay Gold - 3 March, 2026 1004 AM/tictactoe.py": FILE,
        "gus.py": FILE,
        "hana/work/tictactoe.py": FILE,
    })  # fmt: skip
    assert taken(tmp_path) == {
        "Müller, Jörg 1234": "Müller, Jörg_1234_assignsubmission_file/tictactoe.py",
        "Anna Bolt 77": "Anna Bolt_77_assignsubmission_file_tictactoe.py",
        "curieemma 5021": "curieemma_LATE_5021_90017_tictactoe-1.py",
        "daledan 5022": "daledan_5022_90018_tictactoe.py",
        "e5678": "Lab 4_e5678_attempt_2026-03-02-09-30-00_tictactoe.py",
        "Fay Gold 6001-7002": "6001-7002 - Fay Gold - 3 March, 2026 1004 AM/tictactoe.py",
        "gus": "gus.py",
        "hana": "hana/work/tictactoe.py",
    }


def test_of_a_students_files_the_one_with_the_labs_names_is_taken_and_the_rest_is_listed(tmp_path: Path) -> None:
    laid_out(tmp_path, {
        "anna/my_solution.py": FILE,
        "anna/runner.py": "import tictactoe as ttt\n",
        "anna/draft.py": FILE.partition("def utility")[0],
        "anna/._my_solution.py": b"\0\5\26\7",
        "anna/__MACOSX/x.py": FILE,
        "anna/report.pdf": b"%PDF",
        "ben.py": FILE,
        "ben (1).py": FILE.partition("def winner")[0],
        "runner.py": "import pygame\n",
        "._ben.py": b"\0\5\26\7",
        "notes.txt": "for the instructor",
    })  # fmt: skip
    found, ignored = found_in(tmp_path)
    assert [(one.student, one.name) for one in found] == [("anna", "anna/my_solution.py"), ("ben", "ben.py")]
    assert sorted(found[0].ignored) == [
        "anna/._my_solution.py", "anna/__MACOSX", "anna/draft.py", "anna/report.pdf", "anna/runner.py",
    ]  # fmt: skip
    assert found[1].ignored == ["ben (1).py"]
    assert ignored == ["notes.txt", "runner.py"]


def test_a_file_that_python_cannot_read_is_still_its_students(tmp_path: Path) -> None:
    laid_out(tmp_path, {"anna/a.py": "x = 1\n", "anna/b.py": "def winner(board:\n", "ben/c.py": FILE.encode("utf-16")})
    assert taken(tmp_path) == {"anna": "anna/b.py", "ben": "ben/c.py"}


def test_zips_are_opened_in_folders_and_in_zips_and_a_zip_of_the_whole_class_too(tmp_path: Path) -> None:
    inner = zipped({"src/tictactoe.py": FILE, "__MACOSX/src/._tictactoe.py": b"\0"})
    files: Files = {
        "anna_1_assignsubmission_file/lab.zip": inner,
        "ben.zip": zipped({"deeper.zip": inner}),
        "carl.py": FILE,
    }
    folder = laid_out(tmp_path / "folder", files)
    whole = laid_out(tmp_path, {"class.zip": zipped({f"hw1/{name}": content for name, content in files.items()})})
    expected = {
        "anna 1": "anna_1_assignsubmission_file/lab.zip/src/tictactoe.py",
        "ben": "ben.zip/deeper.zip/src/tictactoe.py",
        "carl": "carl.py",
    }
    assert taken(folder) == expected
    assert taken(whole / "class.zip") == expected


def test_who_handed_in_nothing_readable_is_told_with_the_reason(tmp_path: Path) -> None:
    laid_out(tmp_path, {
        "anna/report.pdf": b"%PDF",
        "ben/lab.zip": b"PK\3\4 cut off",
        "carl/lab.rar": b"Rar!",
        "dan/.DS_Store": b"",
        "eva/lab.zip": locked(),
    })  # fmt: skip
    (tmp_path / "fay").mkdir()
    reasons = {one.student: " ".join(one.problems) for one in found_in(tmp_path)[0] if one.file is None}
    assert reasons.keys() == {"anna", "ben", "carl", "dan", "eva", "fay"}
    assert "no .py, .ipynb or .zip file" in reasons["anna"]
    assert "damaged or not a zip file" in reasons["ben"]
    assert "ask for a .zip" in reasons["carl"]
    assert "needs a password" in reasons["eva"]


def test_who_handed_in_no_code_has_a_row_too_in_folders_and_in_zips(tmp_path: Path) -> None:
    files: Files = {
        "Anna Bolt_77_assignsubmission_file_tictactoe.py": FILE,
        "Anna Bolt_77_assignsubmission_onlinetext_onlinetext.html": "<p>done",
        "Ben Cole_78_assignsubmission_onlinetext/onlinetext.html": "<p>def winner",
        "daledan_5022_90018_lab.pdf": b"%PDF",
        "notes.txt": "for the instructor",
    }
    folder = laid_out(tmp_path / "folder", files)
    whole = laid_out(tmp_path, {"class.zip": zipped({f"hw1/{name}": content for name, content in files.items()})})
    bare = laid_out(tmp_path, {"bare.zip": zipped(files)})
    for source in (folder, whole / "class.zip", bare / "bare.zip"):
        found, ignored = found_in(source)
        told = {one.student: (one.ignored, one.problems) for one in found}
        nothing = ["no .py, .ipynb or .zip file among the files"]
        assert told == {
            "Anna Bolt": (["Anna Bolt_77_assignsubmission_onlinetext_onlinetext.html"], []),
            "Ben Cole": (["Ben Cole_78_assignsubmission_onlinetext/onlinetext.html"], nothing),
            "daledan": (["daledan_5022_90018_lab.pdf"], nothing),
        }, source
        assert ignored == ["notes.txt"], source


def test_what_a_zip_leaves_out_is_listed_and_a_class_in_a_folder_of_a_zip_is_found_beside_it(tmp_path: Path) -> None:
    inner = zipped({"tictactoe.py": FILE, "report/report.pdf": b"%PDF"})
    laid_out(tmp_path, {"class.zip": zipped({"hw1/anna.zip": inner, "hw1/ben.py": FILE, "grades.csv": "anna;"})})
    found, ignored = found_in(tmp_path / "class.zip")
    assert [(one.student, one.ignored) for one in found] == [("anna", ["anna.zip/report/report.pdf"]), ("ben", [])]
    assert ignored == ["grades.csv"]


def locked() -> bytes:
    """A zip that says of its file that it is encrypted."""
    content = bytearray(zipped({"tictactoe.py": FILE}))
    content[6] |= 1
    content[content.rindex(b"PK\1\2") + 8] |= 1
    return bytes(content)


def link_to(target: str) -> bytes:
    entry = zipfile.ZipInfo("tictactoe.py")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(entry, target)
    return content.getvalue()


def hostile_zips() -> dict[str, bytes]:
    many: Files = {f"{number}.txt": b"" for number in range(MOST_ENTRIES + 1)}
    return {
        "climbs": zipped({"../../evil.py": FILE, "a/../../../evil.py": FILE}),
        "climbs with backslashes": zipped({"..\\..\\evil.py": FILE}),
        "absolute": zipped({"/tmp/evil.py": FILE}),
        "a drive": zipped({"C:\\evil.py": FILE, "C:evil.py": FILE}),
        "a link": link_to("/etc/passwd"),
        "a long name": zipped({"x" * 300 + ".py": FILE}),
        "a bomb": zipped({"tictactoe.py": b"#" * (MOST_BYTES_A_FILE + 1)}),
        "very many files": zipped(many | {"tictactoe.py": FILE}),
        "nothing": b"",
    }


@pytest.mark.slow
def test_zips_that_mean_harm_give_nothing_and_leave_nothing(tmp_path: Path) -> None:
    inside, hostile = tmp_path / "in" / "class", hostile_zips()
    laid_out(inside, {f"{name}.zip": content for name, content in hostile.items()})
    before = sorted(tmp_path.rglob("*"))
    with HandedIn(inside, LAB) as handed_in:
        found = handed_in.submissions()
        unpacked = Path(handed_in.unpacked.name)
        assert not list(unpacked.parent.glob("evil*"))
    assert {one.student: one.file for one in found} == dict.fromkeys(hostile)
    assert all(one.problems for one in found)
    assert sorted(tmp_path.rglob("*")) == before
    assert not unpacked.exists()
    told = {one.student: " ".join(one.problems + one.ignored) for one in found}
    assert "leads out of the zip" in told["climbs"]
    assert "leads out of the zip" in told["climbs with backslashes"]
    assert "it is a link" in told["a link"]
    assert "too large when unpacked" in told["a bomb"]
    assert "holds more than" in told["very many files"]


def test_zips_in_zips_end_at_a_depth(tmp_path: Path) -> None:
    content = zipped({"tictactoe.py": FILE})
    for _ in range(10):
        content = zipped({"inner.zip": content})
    found, _ = found_in(laid_out(tmp_path, {"anna.zip": content}))
    assert (found[0].file, "too deep" in found[0].problems[0]) == (None, True)


def test_what_all_zips_of_a_student_give_together_is_bounded(tmp_path: Path) -> None:
    laid_out(tmp_path, {"lab.zip": zipped({"a.py": b"#" * 60, "b.py": b"#" * 60})})
    with pytest.raises(CannotOpen, match="too large"):
        unpack(tmp_path / "lab.zip", tmp_path / "new", Budget(bytes=100))
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["a.py"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no named pipes in folders")
@pytest.mark.slow
def test_files_that_stop_a_reader_stop_nobody(tmp_path: Path) -> None:
    laid_out(tmp_path, {
        "anna.py": "-" * 200_000 + "1",
        "ben.py": "a" + ".b" * 200_000,
        "carl.ipynb": "[" * 200_000,
        "dan.ipynb": '{"cells": [{"cell_type": "code", "source": [1, null]}]}',
        "eva.ipynb": '{"cells": [{"cell_type": "code", "source": "\\ud800"}]}',
        "fay.py": b"\0" * 5000,
        "gus.py": b"#" * (MOST_BYTES_A_FILE + 1),
    })  # fmt: skip
    os.mkfifo(tmp_path / "hana.py")
    found, _ = found_in(tmp_path)
    with HandedIn(tmp_path, LAB) as handed_in:
        rows = [marked(one, "today") for one in handed_in.submissions()]
    sources = {one.student: python_source(one.file) for one in found if one.file}
    assert pairs(sources, b"") == []
    assert {row.student: " ".join(row.problems) for row in rows if not row.sha256} == {
        "gus": "gus.py is too large", "hana": "hana.py is not a file",
    }  # fmt: skip


def test_names_in_utf_8_that_are_not_marked_so_and_windows_slashes_are_read(tmp_path: Path) -> None:
    content = zipped({"Joorg/Mueller.py": FILE, "a\\b\\lab.py": "x = 1\n"})
    content = content.replace(b"Joorg/Mueller", "Jörg/Müller".encode())
    assert taken(laid_out(tmp_path, {"anna.zip": content})) == {"anna": "anna.zip/Jörg/Müller.py"}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems allow no such names")
def test_names_that_are_not_utf_8_are_read_as_windows_writes_them(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"M\xfcller, J\xf6rg_5_assignsubmission_file")
    folder.mkdir()
    (folder / os.fsdecode(b"\xfcbung.py")).write_text(FILE, encoding="utf-8")
    (tmp_path / os.fsdecode(b"No\xeblle.py")).write_text(FILE, encoding="utf-8")
    assert taken(tmp_path) == {
        "Müller, Jörg 5": "Müller, Jörg_5_assignsubmission_file/übung.py", "Noëlle": "Noëlle.py",
    }  # fmt: skip


def test_what_was_written_into_the_folder_by_an_earlier_run_is_no_student(tmp_path: Path) -> None:
    laid_out(tmp_path, {"anna.py": FILE, "reports/index.html": "", "grades.csv": "", "grades.csv.resume": ""})
    written = [tmp_path / "reports", tmp_path / "grades.csv", tmp_path / "grades.csv.resume"]
    with HandedIn(tmp_path, LAB, written) as handed_in:
        assert [found.student for found in handed_in.submissions()] == ["anna"]
        assert handed_in.ignored == []


@pytest.mark.skipif(os.name == "nt", reason="links need a right of their own on Windows")
def test_links_in_a_folder_are_not_followed(tmp_path: Path) -> None:
    laid_out(tmp_path, {"secret/tictactoe.py": FILE, "class/ben/x.txt": "x"})
    (tmp_path / "class" / "ben" / "link").symlink_to(tmp_path / "secret")
    (tmp_path / "class" / "carl.py").symlink_to(tmp_path / "secret" / "tictactoe.py")
    found, ignored = found_in(tmp_path / "class")
    assert [(one.student, one.file) for one in found] == [("ben", None)]
    assert ignored == ["carl.py"]
