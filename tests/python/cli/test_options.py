"""Reading of command lines, and of the amounts in them."""

from __future__ import annotations

import pytest

from banditplan.cli.options import Command, HelpRequested, Option, UsageError, command_help, natural, program_help, read
from banditplan.errors import InputError
from banditplan.limits import LimitReached, Limits, read_memory, read_seconds

COMMAND = Command(
    "bake",
    "Bake a cake.",
    ("RECIPE", "[OVEN]"),
    (
        Option("--heat", "how hot", "DEGREES", natural, 180),
        Option("--sugar-kind", "which sugar", "NAME"),
        Option("--fast", "do not wait for the dough " + "and again " * 20),
    ),
    lambda files, options: 0,
    "Eat it warm.",
)


def test_options_may_stand_anywhere_and_have_defaults() -> None:
    assert read(COMMAND, ["cake"], "kitchen") == (["cake"], {"heat": 180, "sugar_kind": None, "fast": False})
    words = ["--heat", "1,200", "cake", "--fast", "--sugar-kind=a=b", "big"]
    assert read(COMMAND, words, "kitchen") == (["cake", "big"], {"heat": 1200, "sugar_kind": "a=b", "fast": True})


def test_the_last_of_equal_options_counts() -> None:
    assert read(COMMAND, ["cake", "--heat=1", "--heat=2"], "kitchen")[1]["heat"] == 2


def test_a_dash_is_a_word_and_two_dashes_end_the_options() -> None:
    assert read(COMMAND, ["-", "--", "--fast"], "kitchen")[0] == ["-", "--fast"]
    assert read(COMMAND, ["cake", "--sugar-kind", "--fast"], "kitchen")[1] == {
        "heat": 180,
        "sugar_kind": "--fast",
        "fast": False,
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "expected RECIPE [OVEN], not 0 argument(s)"),
        (["a", "b", "c"], "expected RECIPE [OVEN], not 3 argument(s)"),
        (["a", "--heta=3"], 'unknown option --heta; did you mean "--heat"?'),
        (["a", "-f"], "unknown option -f"),
        (["a", "--"], None),
        (["a", "--zzzz"], "unknown option --zzzz"),
        (["a", "--heat"], "--heat needs a value: --heat DEGREES"),
        (["a", "--heat=warm"], "--heat: 'warm' is not a valid DEGREES"),
        (["a", "--heat="], "--heat: '' is not a valid DEGREES"),
        (["a", "--fast=1"], "--fast takes no value"),
    ],
)
def test_a_line_that_cannot_be_read_is_explained(words: list[str], said: str | None) -> None:
    if said is None:
        read(COMMAND, words, "kitchen")
        return
    with pytest.raises(UsageError) as caught:
        read(COMMAND, words, "kitchen")
    assert str(caught.value) == f"{said}; see kitchen bake --help"


def test_help_wins_over_errors_behind_it_and_is_wrapped() -> None:
    with pytest.raises(HelpRequested) as caught:
        read(COMMAND, ["--help", "--nonsense"], "kitchen")
    text = str(caught.value)
    assert text == command_help(COMMAND, "kitchen")
    lines = text.split("\n")
    assert lines[0] == "usage: kitchen bake RECIPE [OVEN] [OPTIONS]"
    assert "Eat it warm." in lines
    assert "  --heat DEGREES     how hot (default: 180)" in lines
    assert max(map(len, lines)) <= 100
    assert sum("and again" in line for line in lines) > 1


def test_the_program_lists_its_commands() -> None:
    text = program_help([COMMAND], "kitchen", "We cook.")
    assert text.startswith("usage: kitchen COMMAND …\n\nWe cook.\n")
    assert "\n  bake  Bake a cake.\n" in text


@pytest.mark.parametrize(("text", "value"), [("0", 0), ("12", 12), ("10_000", 10_000), ("1,000,000", 1_000_000)])
def test_a_natural_number(text: str, value: int) -> None:
    assert natural(text) == value


@pytest.mark.parametrize("text", ["", "-1", "1.5", "1e3", "x", "9" * 5000])
def test_not_a_natural_number(text: str) -> None:
    with pytest.raises(ValueError, match=r"invalid literal|Exceeds the limit|-1"):
        natural(text)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (2, 2),
        (0.5, 0.5),
        ("3", 3),
        ("30s", 30),
        ("5m", 300),
        ("1.5h", 5400),
        (" 2 M ", 120),
        ("1e2", 100),
        ("1e-3s", 0.001),
    ],
)
def test_limits_of_time(value: float | str, seconds: float) -> None:
    assert read_seconds(value) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("value", "kilobytes"),
    [
        *((2048, 2), ("2048", 2), ("2048b", 2), ("3k", 3), ("3KB", 3), ("3KiB", 3), ("500M", 512_000)),
        *(("2G", 2 << 20), ("2 gb", 2 << 20), ("1.5GiB", 3 << 19), ("1T", 1 << 30)),
    ],
)
def test_limits_of_memory(value: int | str, kilobytes: int) -> None:
    assert read_memory(value) == kilobytes


@pytest.mark.parametrize("value", ["", "s", "abc", "1x", "1ms", "nan", "inf", "0", "-1", "0s", "1 2", "1e999", 0, -3.0])
def test_amounts_that_are_none(value: float | str) -> None:
    with pytest.raises(InputError, match=r"^time limit .*(such as 30s, 5m or 1h|must be positive)$"):
        read_seconds(value)
    with pytest.raises(InputError, match=r"^memory limit .*(such as 500M or 2G|must be positive)$"):
        read_memory(str(value))


@pytest.mark.parametrize("value", ["5mb", "5g", "5k", "5b", "5ib", "5mib", "1hb"])
def test_a_time_has_no_unit_of_memory(value: str) -> None:
    with pytest.raises(InputError, match=r"^time limit .* such as 30s, 5m or 1h$"):
        read_seconds(value)


@pytest.mark.parametrize("value", ["5s", "5h", "5ib", "5bb", "5mbb"])
def test_memory_has_no_unit_of_time(value: str) -> None:
    with pytest.raises(InputError, match=r"^memory limit .* such as 500M or 2G$"):
        read_memory(value)


def test_no_limit_is_never_reached_and_a_passed_one_is() -> None:
    Limits(deadline=None, memory_kb=None).check()
    with pytest.raises(LimitReached) as caught:
        Limits(deadline=0.0, memory_kb=None).check()
    assert caught.value.status == "time-limit"
    with pytest.raises(LimitReached) as caught:
        Limits(deadline=None, memory_kb=1).check()
    assert caught.value.status == "memory-limit"
