from __future__ import annotations

import os
from pathlib import Path

import pytest

import banditplan as bp
from banditplan import examples
from banditplan.errors import InputError
from banditplan.files import read_source
from banditplan.pddl.parser import parse
from banditplan.validation import validate


def test_names_are_sorted_and_many() -> None:
    assert list(examples.names()) == sorted(examples.names())
    assert len(examples.names()) >= 10


@pytest.mark.parametrize("name", examples.names())
def test_an_example_parses_without_warning_and_is_not_trivial(name: str) -> None:
    domain, problem = examples.paths(name)
    parsed = parse(read_source(domain), read_source(problem))
    assert parsed.warnings == ()
    assert parsed.domain.name == name
    assert not validate(parsed, ()).valid


@pytest.mark.parametrize("name", examples.names())
def test_an_example_says_what_it_shows(name: str) -> None:
    summary = examples.summary(name)
    assert summary.endswith(".")
    assert ";" not in summary
    assert len(summary) < 120


def test_paths_are_those_of_files() -> None:
    domain, problem = examples.paths("warehouse")
    assert os.path.basename(domain) == "domain.pddl"
    assert os.path.basename(problem) == "problem.pddl"
    assert os.path.dirname(domain) == os.path.dirname(problem)


def test_an_unknown_name_is_an_input_error() -> None:
    with pytest.raises(InputError, match='unknown example "warehose"; did you mean "warehouse"'):
        examples.paths("warehose")
    with pytest.raises(InputError, match=r"there are bakery, .*warehouse"):
        examples.summary("qqq")
    with pytest.raises(InputError):
        examples.paths("../examples/bakery")


def test_a_task_on_which_the_bandit_wins() -> None:
    """What the demo shows, and the students' guide tells."""
    task = bp.load(*bp.example("porter"))
    found = {name: bp.solve(task, search=name).evaluations for name in ("gbfs", "guct", "guct-normal2")}
    assert found == {"gbfs": 6_534, "guct": 21_084, "guct-normal2": 1_669}
    guide = (Path(__file__).parents[2] / "docs" / "guides" / "student.md").read_text(encoding="utf-8")
    assert all(f"{evaluations:,}" in guide for evaluations in found.values())
