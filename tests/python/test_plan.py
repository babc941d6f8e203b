from __future__ import annotations

import pytest

from banditplan.errors import PddlError, Source
from banditplan.plan import Step, format_plan, read_plan

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
