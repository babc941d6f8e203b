"""Suites: the packaged lists, folders, filters, and what is missing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import banditplan as bp
from banditplan import examples
from banditplan.domain_file import find_domain
from banditplan.errors import InputError
from banditplan.experiments.define.suites import listing, load_suite, problem_files

FOLDER = Path(os.environ.get("BANDITPLAN_BENCHMARKS") or "no-benchmarks")
needs_benchmarks = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="BANDITPLAN_BENCHMARKS does not name a checkout of downward-benchmarks"
)

# Of these domains the paper uses so many instances, the smallest by the number of ground actions.
SMALLEST = {"freecell": 34, "logistics98": 31, "pipesworld-tankage": 26}


def checkout(folder: Path, wanted: dict[str, list[str]]) -> Path:
    """A folder of domains with copies of a bundled task under the names that are wanted."""
    domain, problem = (Path(path).read_text() for path in bp.example("crates"))
    for name, problems in wanted.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "domain.pddl").write_text(domain)
        for file in problems:
            (folder / name / file).write_text(problem)
    return folder


def test_the_lists_have_the_sizes_that_are_known() -> None:
    paper = listing("paper")
    assert len(paper) == 23
    assert sum(map(len, paper.values())) == 773
    assert {domain: len(paper[domain]) for domain in SMALLEST} == SMALLEST
    ipc18 = listing("ipc18")
    assert [len(names) for names in ipc18.values()] == [20] * 10
    assert {"caldera-split-sat18-adl", "organic-synthesis-split-sat18-strips"} <= ipc18.keys()


@pytest.mark.benchmark
@needs_benchmarks
@pytest.mark.parametrize("domain", listing("paper"))
def test_the_papers_instances_are_the_smallest(domain: str) -> None:
    there = []
    for name in problem_files(str(FOLDER / domain)):
        path = str(FOLDER / domain / name)
        try:
            there.append((find_domain(path), path))
        except InputError:
            continue
    if domain in SMALLEST:
        actions = {pair: bp.load(*pair, prune_mutex=False).sizes["actions"] for pair in there}
        there = sorted(there, key=lambda pair: (actions[pair], pair[1]))[: SMALLEST[domain]]
    assert sorted(os.path.basename(problem) for _, problem in there) == listing("paper")[domain]


@pytest.mark.benchmark
@needs_benchmarks
@pytest.mark.parametrize(("suite", "count"), [("paper", 773), ("ipc18", 200)])
def test_a_checkout_has_all_instances(suite: str, count: int) -> None:
    found = load_suite(suite, str(FOLDER))
    assert len(found.instances) == count
    assert found.missing == ()


def test_the_bundled_tasks_need_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BANDITPLAN_BENCHMARKS", raising=False)
    suite = load_suite("examples")
    assert [instance.domain for instance in suite.instances] == list(examples.names())
    with pytest.raises(InputError, match=r"where are the benchmarks\? Name a checkout.*--benchmarks.*BANDITPLAN_BENCH"):
        load_suite("paper")
    with pytest.raises(InputError, match="no such folder"):
        load_suite("paper", "/nowhere/at/all")
    with pytest.raises(InputError, match='unknown suite "papers"; did you mean "paper"'):
        load_suite("papers")


def test_filters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = checkout(tmp_path, {domain: listing("paper")[domain] for domain in ("gripper", "grid", "blocks")})
    monkeypatch.setenv("BANDITPLAN_BENCHMARKS", str(folder))

    def found(filters: str) -> list[tuple[str, str]]:
        return [(instance.domain, instance.name) for instance in load_suite(f"paper:{filters}").instances]

    assert found("grid") == [("grid", f"prob0{number}.pddl") for number in range(1, 6)]
    assert len(found("grid,gripper")) == 25
    assert len(found("gri*")) == 25
    assert found("grid/prob01,gripper/prob20.pddl") == [("grid", "prob01.pddl"), ("gripper", "prob20.pddl")]
    assert len(found("blocks/probBLOCKS-4-*")) == 3
    with pytest.raises(InputError, match='nothing matches "griper"; did you mean "gripper"'):
        found("griper")
    with pytest.raises(InputError, match='nothing matches "grid/prob99"; a filter is'):
        found("grid/prob99")


def test_what_is_missing_is_left_out_and_said(tmp_path: Path) -> None:
    folder = checkout(tmp_path, {"grid": listing("paper")["grid"], "gripper": ["prob01.pddl"]})
    (folder / "grid" / "prob03.pddl").unlink()
    (folder / "gripper" / "domain.pddl").unlink()
    suite = load_suite("paper", str(folder))
    assert [instance.name for instance in suite.instances] == [f"prob0{number}.pddl" for number in (1, 2, 4, 5)]
    assert f"{folder}/grid: prob03.pddl is not there, left out" in suite.missing
    assert f"{folder}/gripper: 19 of 20 are not there, left out (prob02.pddl …)" in suite.missing
    assert f"{folder}/gripper: prob01.pddl is not with a domain file, left out" in suite.missing
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"no instance found; .*airport: 50 of 50 are not there"):
        load_suite("paper", str(tmp_path / "empty"))


def test_any_folder_is_a_suite(tmp_path: Path) -> None:
    folder = checkout(tmp_path / "my:tasks", {"a": ["p1.pddl", "p2.pddl"], "b": ["p1.pddl"]})
    (folder / ".git").mkdir()
    (folder / "README").touch()
    assert [i.domain for i in load_suite(f"folder:{folder}").instances] == ["a", "a", "b"]
    assert [i.domain for i in load_suite(f"folder:{folder}:b").instances] == ["b"]
    assert [(i.domain, i.name) for i in load_suite(f"folder:{folder}/a:a/p2").instances] == [("a", "p2.pddl")]
    with pytest.raises(InputError, match="there is no folder"):
        load_suite(f"folder:{folder}/nothing")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no instance found"):
        load_suite(f"folder:{tmp_path}/empty")
