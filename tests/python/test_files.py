"""Files to texts, and texts to files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from banditplan.errors import InputError, Source
from banditplan.files import read_source, write_file


def write(folder: Path, data: bytes) -> str:
    path = folder / "t.pddl"
    path.write_bytes(data)
    return str(path)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("(Ä)".encode(), "(Ä)"),
        ("\ufeff(Ä)".encode(), "(Ä)"),
        ("(Ä)".encode("latin-1"), "(Ä)"),
        (b"(a)\r\n;b\r\n(c)", "(a)\n;b\n(c)"),
        (b"(a) ;b\r(c)", "(a) ;b\n(c)"),
        (b"", ""),
    ],
)
def test_encodings_and_line_ends(tmp_path: Path, data: bytes, text: str) -> None:
    path = write(tmp_path, data)
    assert read_source(path) == Source(path, text)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"(a\0)", "is not a text file (byte 3 is zero)"),
        ("(a)".encode("utf-16"), "is encoded in UTF-16; save it as UTF-8"),
    ],
)
def test_binary_files(tmp_path: Path, data: bytes, message: str) -> None:
    path = write(tmp_path, data)
    with pytest.raises(InputError) as caught:
        read_source(path)
    assert str(caught.value) == caught.value.message == f"{path}: {message}"


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.pddl: no such file"):
        read_source(str(tmp_path / "nowhere.pddl"))
    with pytest.raises(InputError, match="is a directory; give a file inside it"):
        read_source(str(tmp_path))
    with pytest.raises(InputError, match="cannot be read: Not a directory"):
        read_source(write(tmp_path, b"") + "/x")
    with pytest.raises(InputError, match="cannot be read: "):
        read_source("a\0b")


def test_a_file_replaces_the_old_one_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "plan"
    path.write_text("old")
    write_file(str(path), "new\n", "the plan")
    assert path.read_bytes() == b"new\n"
    assert os.listdir(tmp_path) == ["plan"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    link = tmp_path / "plan"
    link.symlink_to(tmp_path / "folder" / "target")
    write_file(str(link), "text", "the plan")
    assert link.is_symlink()
    assert (tmp_path / "folder" / "target").read_text() == "text"


def test_a_device_is_written_to_and_not_replaced() -> None:
    write_file(os.devnull, "text", "the plan")
    assert not os.path.isfile(os.devnull)


def test_a_place_that_cannot_be_written_is_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="cannot write the plan to "):
        write_file(str(tmp_path / "file" / "plan"), "text", "the plan")
    with pytest.raises(InputError, match="directory"):
        write_file(str(tmp_path), "text", "the plan")
    assert os.listdir(tmp_path) == ["file"]
    assert (tmp_path / "file").read_text() == "mine"
