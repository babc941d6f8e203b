from __future__ import annotations

import os
from pathlib import Path

import pytest

from banditplan.pddl.errors import InputError, PddlError, Source
from banditplan.plan import Step, format_plan, read_plan, write_plan

STEPS = (Step("pick", ("ball", "left")), Step("wait", ()))


def read(text: str) -> tuple[Step, ...]:
    return read_plan(Source("some.plan", text))


def test_a_step_prints_as_pddl() -> None:
    assert [str(step) for step in STEPS] == ["(pick ball left)", "(wait)"]


@pytest.mark.parametrize(
    "text",
    [
        "(pick ball left)\n(wait)\n",
        "(PICK Ball LEFT)\n\n  ( wait )  ; rest\n; cost = 2 (unit cost)",
        "0: (pick ball left)\n1: (wait)",
        "0.000: (pick ball left) [1]\n0.001 :\t(wait)  [1.000]\r\n",
        "(pick ball left)[1]\n(wait)\r\n",
    ],
)
def test_plans_are_read_as_planners_write_them(text: str) -> None:
    assert read(text) == STEPS


def test_an_empty_plan_has_no_steps() -> None:
    assert read("") == read("; cost = 0 (unit cost)\n") == ()


@pytest.mark.parametrize(
    "line", ["pick ball left", "(pick ball", "pick)", "()", "(a) (b)", "x: (a)", "(a) [x]", "((a))", ")("]
)
def test_a_bad_line_is_named(line: str) -> None:
    with pytest.raises(PddlError) as caught:
        read(f"; a plan\n(wait) ; fine\n\n  {line}\n(wait)\n")
    assert (caught.value.file, caught.value.line, caught.value.column) == ("some.plan", 4, 3)
    assert line in caught.value.excerpt
    assert "(action argument ...)" in caught.value.message


def test_what_is_written_is_read_back() -> None:
    text = format_plan(STEPS, 7, unit_cost=False)
    assert text == "(pick ball left)\n(wait)\n; cost = 7 (general cost)\n"
    assert format_plan((), 0, unit_cost=True) == "; cost = 0 (unit cost)\n"
    assert read(text) == STEPS


def test_a_plan_file_replaces_the_old_one_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "plan"
    path.write_text("old")
    write_plan(str(path), "new\n")
    assert path.read_bytes() == b"new\n"
    assert os.listdir(tmp_path) == ["plan"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    link = tmp_path / "plan"
    link.symlink_to(tmp_path / "folder" / "target")
    write_plan(str(link), "text")
    assert link.is_symlink()
    assert (tmp_path / "folder" / "target").read_text() == "text"


def test_a_device_is_written_to_and_not_replaced() -> None:
    write_plan(os.devnull, "text")
    assert not os.path.isfile(os.devnull)


def test_a_place_that_cannot_be_written_is_an_input_error(tmp_path: Path) -> None:
    path = str(tmp_path / "missing" / "plan")
    with pytest.raises(InputError, match=r"cannot write the plan to .*missing.*No such file"):
        write_plan(path, "text")
    with pytest.raises(InputError, match="directory"):
        write_plan(str(tmp_path), "text")
    assert os.listdir(tmp_path) == []
