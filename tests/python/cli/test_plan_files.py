"""Plan files: those of earlier runs go before the search, new ones come whole; a dash is standard input or output."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from command import COMMAND, Done, run
from puzzles import endless_search, write

import banditplan as bp

OLD = "(of an earlier run)\n"
KEPT = ("sas_plan.bak", "sas_plan.007", "sas_plan2", "other.1")


def old_files(folder: Path) -> None:
    for name in ("sas_plan", "sas_plan.1", "sas_plan.2", "sas_plan.10", *KEPT):
        (folder / name).write_text(OLD, encoding="utf-8")


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if path.is_file()}


def piped(text: str, *arguments: str, cwd: Path) -> Done:
    return subprocess.run(
        [*COMMAND, *arguments], cwd=cwd, input=text, capture_output=True, encoding="utf-8", timeout=60
    )


@pytest.mark.parametrize("anytime", [[], ["--anytime"]])
def test_an_unsolvable_task_leaves_no_plan(anytime: list[str], tmp_path: Path) -> None:
    for name in ("levers", "island"):
        old_files(tmp_path)
        assert run("solve", "--example", name, *anytime, cwd=tmp_path).returncode == 11
        assert names(tmp_path) == set(KEPT)


def test_a_limit_leaves_no_plan(tmp_path: Path) -> None:
    old_files(tmp_path)
    files = write(tmp_path / "task", endless_search())
    assert run("solve", *files, "--max-evaluations", "10", cwd=tmp_path).returncode == 12
    assert names(tmp_path) == set(KEPT)


def test_a_plan_stands_alone(tmp_path: Path) -> None:
    old_files(tmp_path)
    assert run("solve", "--example", "crates", cwd=tmp_path).returncode == 0
    assert names(tmp_path) == {"sas_plan", *KEPT}
    assert OLD not in (tmp_path / "sas_plan").read_text(encoding="utf-8")
    old_files(tmp_path)
    assert run("solve", "--example", "crates", "--anytime", cwd=tmp_path).returncode == 0
    left = names(tmp_path) - set(KEPT)
    assert left == {f"sas_plan.{number}" for number in range(1, len(left) + 1)}
    assert all(OLD not in (tmp_path / name).read_text(encoding="utf-8") for name in left)


def test_bad_input_removes_nothing(tmp_path: Path) -> None:
    old_files(tmp_path)
    before = names(tmp_path)
    domain, problem = bp.example("crates")
    (tmp_path / "bad.pddl").write_text("(define (problem", encoding="utf-8")
    for words in ([domain, "bad.pddl"], [domain, "none.pddl"], [domain, problem, "--search", "none"]):
        assert run("solve", *words, cwd=tmp_path).returncode == 31
        assert names(tmp_path) == {*before, "bad.pddl"}


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "there").write_text(OLD, encoding="utf-8")
    (tmp_path / "sas_plan").symlink_to("there")
    assert run("solve", "--example", "crates", cwd=tmp_path).returncode == 0
    assert (tmp_path / "sas_plan").is_symlink()
    assert (tmp_path / "there").read_text(encoding="utf-8").endswith("(unit cost)\n")
    assert run("solve", "--example", "levers", cwd=tmp_path).returncode == 11
    assert not (tmp_path / "there").exists()


def test_a_file_of_the_task_is_no_plan_file(tmp_path: Path) -> None:
    for source, name in zip(bp.example("crates"), ("domain.pddl", "problem.pddl"), strict=True):
        (tmp_path / name).write_text(Path(source).read_text(encoding="utf-8"), encoding="utf-8")
    done = run("solve", "domain.pddl", "problem.pddl", "--plan-file", "./problem.pddl", cwd=tmp_path)
    assert done.returncode == 31
    assert 'cannot write the plan to "./problem.pddl": it is a file of the task' in done.stderr
    assert names(tmp_path) == {"domain.pddl", "problem.pddl"}


@pytest.mark.parametrize("anytime", [[], ["--anytime"]])
def test_a_dash_as_plan_file_means_standard_output_alone(anytime: list[str], tmp_path: Path) -> None:
    old_files(tmp_path)
    before = names(tmp_path)
    done = run("solve", "--example", "crates", "--plan-file", "-", *anytime, cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("(")
    assert names(tmp_path) == before
    assert (tmp_path / "sas_plan").read_text(encoding="utf-8") == OLD
    domain, problem = bp.example("crates")
    assert piped(done.stdout, "validate", domain, problem, "-", cwd=tmp_path).stdout.startswith("valid: ")


@pytest.mark.parametrize("command", ["validate", "plan"])
def test_the_task_of_a_plan_is_found_as_that_of_a_search(command: str, tmp_path: Path) -> None:
    plan = run("solve", "--example", "crates", "--plan-file", "plan", cwd=tmp_path)
    assert plan.returncode == 0
    files = bp.example("crates")
    for name, file in zip(("domain.pddl", "problem.pddl"), files, strict=True):
        (tmp_path / name).write_text(Path(file).read_text(encoding="utf-8"), encoding="utf-8")
    whole = run(command, *files, "plan", cwd=tmp_path)
    assert whole.returncode == 0
    assert whole.stdout
    assert run(command, "--example", "crates", "plan", cwd=tmp_path).stdout == whole.stdout
    assert run(command, "problem.pddl", "plan", cwd=tmp_path).stdout == whole.stdout
    text = (tmp_path / "plan").read_text(encoding="utf-8")
    assert piped(text, command, "problem.pddl", "-", cwd=tmp_path).stdout == whole.stdout
    for words, complaint in (
        (["plan"], "error: a plan is for a task: give PROBLEM PLAN, or --example NAME PLAN\n"),
        (["--example", "crates", "problem.pddl", "plan"], "error: give either --example or files, not both\n"),
        (["-", "problem.pddl", "-"], "error: standard input can be read once only: give a dash for one of the files\n"),
    ):
        done = piped("", command, *words, cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (31, "", complaint)


def test_standard_output_is_for_one_thing(tmp_path: Path) -> None:
    done = run("solve", "--example", "crates", "--plan-file", "-", "--json", "-", cwd=tmp_path)
    assert done.returncode == 31
    assert "standard output is for the plan or for the record" in done.stderr


@pytest.mark.parametrize("which", [0, 1])
def test_a_dash_as_file_means_standard_input(which: int, tmp_path: Path) -> None:
    files = list(bp.example("crates"))
    text = Path(files[which]).read_text(encoding="utf-8")
    files[which] = "-"
    done = piped(text, "solve", *files, "--json", "record.json", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout == run("solve", "--example", "crates", cwd=tmp_path).stdout
    record = json.loads((tmp_path / "record.json").read_text(encoding="utf-8"))
    assert record[("domain", "problem")[which]] == "<standard input>"
    assert (
        piped(text, "ground", *files, cwd=tmp_path).returncode
        == run("ground", "--example", "crates", cwd=tmp_path).returncode
    )
    done = piped("(define (domain x)\n (:nonsense))", "solve", *files, cwd=tmp_path)
    assert done.returncode == 31
    assert "<standard input>:" in done.stderr


def test_standard_input_that_does_not_do(tmp_path: Path) -> None:
    domain, _ = bp.example("crates")
    for files, reason in (
        (["-", "-"], "standard input can be read once only"),
        (["-"], "a problem from standard input needs its domain: give DOMAIN -"),
        ([domain, "-"], "<standard input>"),
    ):
        done = piped("", "solve", *files, cwd=tmp_path)
        assert done.returncode == 31
        assert reason in done.stderr
        assert "Traceback" not in done.stderr


def test_a_trace_that_cannot_be_written_loses_no_plan(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    done = run("solve", "--example", "crates", "--trace", "/dev/full", cwd=tmp_path)
    assert done.returncode == 31
    assert "cannot write the trace" in done.stderr
    assert done.stdout.startswith("(")
    assert (tmp_path / "sas_plan").exists()


def test_several_plans_go_with_the_ground_task(tmp_path: Path) -> None:
    done = run("solve", "--example", "crates", "--plans", "2", "--sas", "out.sas", cwd=tmp_path)
    assert done.returncode == 0
    assert (tmp_path / "out.sas").read_text(encoding="utf-8").startswith("begin_version")
