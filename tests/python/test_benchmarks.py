"""On a checkout of downward-benchmarks, where BANDITPLAN_BENCHMARKS names one: all parses, small tasks are solved."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import banditplan as bp
from banditplan.domain_file import find_domain
from banditplan.files import read_source
from banditplan.normalize.normalize import normalize
from banditplan.pddl.parser import parse
from banditplan.split.split import split

pytestmark = pytest.mark.benchmark

FOLDER = Path(os.environ.get("BANDITPLAN_BENCHMARKS") or "no-benchmarks")
NONE = pytest.param("", marks=pytest.mark.skip("BANDITPLAN_BENCHMARKS does not name a checkout of downward-benchmarks"))
DOMAINS = sorted(folder.name for folder in FOLDER.iterdir() if folder.is_dir()) if FOLDER.is_dir() else [NONE]


def problems(domain: str) -> list[Path]:
    """The problem files of a domain, the smallest first."""
    files = [path for path in (FOLDER / domain).glob("*.pddl") if "domain" not in path.name]
    return sorted(files, key=lambda path: (path.stat().st_size + os.path.getsize(find_domain(str(path))), path.name))


def test_there_is_a_checkout() -> None:
    if not FOLDER.is_dir():
        pytest.skip("BANDITPLAN_BENCHMARKS does not name a checkout of downward-benchmarks")
    assert DOMAINS


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_instance_parses(domain: str) -> None:
    for path in problems(domain):
        assert parse(read_source(find_domain(str(path))), read_source(str(path))).domain.actions


@pytest.mark.parametrize("domain", DOMAINS)
def test_only_tasks_with_wide_actions_are_split(domain: str) -> None:
    wide = ("organic-synthesis-sat18", "organic-synthesis-opt18", "caldera-sat18", "caldera-opt18")
    for path in problems(domain):
        task = normalize(parse(read_source(find_domain(str(path))), read_source(str(path))))
        assert split(task, "auto").task is task or domain.startswith(wide)


@pytest.mark.parametrize("domain", DOMAINS)
def test_small_instances_are_solved_with_valid_plans(domain: str) -> None:
    for path in problems(domain)[:3]:
        task = bp.load(find_domain(str(path)), path, split="auto")
        assert task.sizes["actions"] > 0 or not task.solvable
        for search in ("gbfs", "guct-normal2(preferred=True)"):
            result = bp.solve(task, search=search, max_evaluations=5000)
            assert result.status in ("solved", "unsolvable", "evaluation-limit")
            assert result.valid is (True if result.solved else None)
