"""The command line: exit codes, what goes where, and what is said about bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from command import COMMAND, OnTerminal, run, run_redirected
from puzzles import endless_search, long_text, sliding, write

import banditplan as bp
from banditplan import examples, pipeline
from banditplan.cli.main import COMMANDS, main
from banditplan.cli.options import Command, named
from banditplan.errors import Source
from banditplan.plan import read_plan
from banditplan.validation import Verdict
from banditplan.version import VERSION

UNSOLVABLE = ("island", "levers")
DURATIVE = """
(define (domain wait)
  (:requirements :durative-actions)
  (:predicates (done))
  (:durative-action wait
    :parameters ()
    :duration (= ?duration 1)
    :effect (at end (done))))"""
COSTS = """
(define (domain trip)
  (:requirements :action-costs)
  (:predicates (here) (there))
  (:functions (total-cost) - number)
  (:action go :parameters () :precondition (here) :effect (and (there) (not (here)) (increase (total-cost) 7))))"""
TRIP = "(define (problem trip) (:domain trip) (:init (here) (= (total-cost) 0)) (:goal (there)){})"


@pytest.fixture(autouse=True)
def _in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# ---- plans and where they go


@pytest.mark.parametrize("name", examples.names())
def test_an_example_is_solved_with_a_valid_plan_or_proved_unsolvable(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code = main(["solve", "--example", name])
    out, err = capfd.readouterr()
    if name in UNSOLVABLE:
        assert (code, out) == (11, "")
        assert err.startswith("unsolvable: proved unsolvable after ")
        assert os.listdir(tmp_path) == []
        return
    assert code == 0
    assert err.startswith("solved: ")
    assert ", valid; " in err
    assert main(["validate", *examples.paths(name), "sas_plan"]) == 0
    assert capfd.readouterr().out.startswith("valid: ")


def test_the_plan_is_alone_on_standard_output_and_in_the_plan_file_with_its_cost(tmp_path: Path) -> None:
    done = run("solve", "--example", "crates", cwd=tmp_path)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    steps = read_plan(Source("stdout", done.stdout))
    assert len(steps) > 0
    assert lines == [*(f"({' '.join((step.name, *step.arguments))})" for step in steps), f"; cost = {len(steps)}"]
    assert (tmp_path / "sas_plan").read_text() == done.stdout[:-1] + " (unit cost)\n"
    assert os.listdir(tmp_path) == ["sas_plan"]
    assert "\x1b" not in done.stderr
    assert "\r" not in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"solved: {len(steps)} steps, cost {len(steps)}, ")


@pytest.mark.parametrize(
    ("metric", "last"), [("", "1 (unit cost)"), ("(:metric minimize (total-cost))", "7 (general cost)")]
)
def test_the_plan_file_tells_the_kind_of_cost(
    metric: str, last: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    domain, problem = write(tmp_path, (COSTS, TRIP.format(metric)))
    assert main(["solve", domain, problem, "--plan-file", "my.plan"]) == 0
    assert capfd.readouterr().out == f"(go)\n; cost = {last.split()[0]}\n"
    assert (tmp_path / "my.plan").read_text() == f"(go)\n; cost = {last}\n"
    assert not (tmp_path / "sas_plan").exists()


def test_a_goal_that_holds_at_once_gives_the_empty_plan(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    domain, problem = write(tmp_path, (COSTS, TRIP.format("").replace("(:goal (there))", "(:goal (here))")))
    assert main(["solve", domain, problem]) == 0
    assert capfd.readouterr().out == "; cost = 0\n"
    assert (tmp_path / "sas_plan").read_text() == "; cost = 0 (unit cost)\n"


def test_quiet_leaves_standard_error_empty(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    domain, problem = write(tmp_path, (COSTS.replace(":action-costs", ":strips"), TRIP.format("")))
    assert main(["solve", domain, problem]) == 0
    assert "warning: " in capfd.readouterr().err
    assert main(["solve", domain, problem, "--quiet"]) == 0
    assert capfd.readouterr() == ("(go)\n; cost = 1\n", "")
    assert main(["solve", "--example", "island", "--quiet"]) == 11
    assert capfd.readouterr() == ("", "")
    assert main(["ground", "--example", "island", "--quiet"]) == 11
    assert capfd.readouterr().err == ""


def test_the_same_seed_gives_the_same_answer(tmp_path: Path) -> None:
    first, second = (run("solve", "--example", "museum", "--seed", "7", "--json", "-", cwd=tmp_path) for _ in range(2))
    answers = [json.loads(done.stdout) for done in (first, second)]
    for answer in answers:
        assert answer["seed"] == 7
        del answer["seconds"], answer["peak_memory_kb"]
    assert answers[0] == answers[1]


def test_a_plan_may_go_unvalidated(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--example", "crates", "--no-validate", "--json", "-"]) == 0
    out, err = capfd.readouterr()
    assert json.loads(out)["valid"] is None
    assert ", not validated; " in err


def test_paths_may_have_spaces_and_any_letters(tmp_path: Path) -> None:
    folder = tmp_path / "mein Ördner 計画"
    write(folder, (COSTS, TRIP.format("")))
    done = run("solve", str(folder / "problem.pddl"), "--plan-file", str(folder / "der Plän"), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "(go)\n; cost = 1\n")
    assert (folder / "der Plän").exists()
    done = run("solve", "mein Ördner 計画/nichts da.pddl", cwd=tmp_path)
    assert done.returncode == 31
    assert "mein Ördner 計画/nichts da.pddl: no such file" in done.stderr


def test_a_file_may_be_in_latin_1_and_names_may_be_unicode(tmp_path: Path) -> None:
    domain, problem = write(tmp_path, (COSTS, TRIP.format("")))
    Path(problem).write_bytes(b"; caf\xe9\n" + Path(problem).read_bytes())
    assert run("solve", domain, problem, cwd=tmp_path).stdout == "(go)\n; cost = 1\n"
    Path(domain).write_text(COSTS.replace("action go", "action gehö"), encoding="utf-8")
    assert run("solve", domain, problem, cwd=tmp_path).stdout == "(gehö)\n; cost = 1\n"
    done = run("solve", domain, problem, cwd=tmp_path, env={"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stdout) == (0, "(geh\\xf6)\n; cost = 1\n")
    assert (tmp_path / "sas_plan").read_text(encoding="utf-8").startswith("(gehö)\n")


@pytest.mark.slow
def test_fifty_megabytes_are_read(tmp_path: Path) -> None:
    domain, problem = write(tmp_path, long_text(50_000, repeat=50))
    assert os.path.getsize(problem) > 50_000_000
    done = run("solve", domain, problem, "--time-limit", "60s", cwd=tmp_path, timeout=70)
    assert (done.returncode, done.stdout.count("\n")) == (0, 2)


# ---- the record


def test_json_to_standard_output_takes_the_place_of_the_plan(tmp_path: Path) -> None:
    done = run("solve", "--example", "crates", "--json", "-", cwd=tmp_path)
    answer = json.loads(done.stdout)
    assert answer["status"] == "solved"
    plan = (tmp_path / "sas_plan").read_text().splitlines()
    assert answer["plan"] == plan[:-1]


def test_json_to_a_file_leaves_the_plan_where_it_is(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--example", "crates", "--json=run.json"]) == 0
    answer = json.loads((tmp_path / "run.json").read_text())
    assert capfd.readouterr().out.splitlines()[:-1] == answer["plan"]
    assert sorted(os.listdir(tmp_path)) == ["run.json", "sas_plan"]


def test_a_run_that_fails_has_a_record_too(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    domain, problem = write(tmp_path, (COSTS, "(define"))
    for command in ("solve", "ground"):
        assert main([command, domain, problem, "--json", "-"]) == 31
        out, err = capfd.readouterr()
        answer = json.loads(out)
        assert (answer["status"], answer["plan"], answer["task"]) == ("error", None, None)
        assert f"{problem}:1:1: " in err


# ---- exit codes


def test_unsolvable_is_proved_by_the_relaxation_or_by_search(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--example", "island", "--json", "-"]) == 11
    assert json.loads(capfd.readouterr().out)["evaluations"] == 0
    assert main(["solve", *write(tmp_path, sliding(2, 3)), "--json", "-"]) == 11
    answer = json.loads(capfd.readouterr().out)
    assert (answer["status"], answer["evaluations"]) == ("unsolvable", 360)


@pytest.mark.parametrize("kind", ["evaluation", "expansion"])
def test_a_limit_of_effort_is_12(kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = write(tmp_path, endless_search())
    assert main(["solve", *files, f"--max-{kind}s", "1_000", "--json", "-"]) == 12
    out, err = capfd.readouterr()
    answer = json.loads(out)
    assert answer["status"] == f"{kind}-limit"
    assert answer[f"{kind}s"] == 1000
    assert err.startswith(f"{kind}-limit: no plan within the {kind} limit; best h ")
    assert not (tmp_path / "sas_plan").exists()


def test_an_unsupported_feature_is_34_and_named_with_its_place(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    domain, problem = write(tmp_path, (DURATIVE, "(define (problem p) (:domain wait) (:init) (:goal (done)))"))
    assert main(["solve", domain, problem]) == 34
    assert f"error: {domain}:5:4: durative actions" in capfd.readouterr().err


def test_a_bug_is_35_with_a_traceback_a_request_and_a_record(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the stage fell over")

    monkeypatch.setattr(pipeline, "normalize", broken)
    for command in ("solve", "ground"):
        assert main([command, "--example", "crates", "--json", "-"]) == 35
        out, err = capfd.readouterr()
        assert "RuntimeError: the stage fell over" in err
        assert f"This is a bug in banditplan {VERSION}; please report it" in err
        assert json.loads(out)["status"] == "error"


def test_a_plan_that_the_validator_rejects_is_35_and_not_delivered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    verdict = Verdict(valid=False, cost=0, unit_cost=True, reason="step 3 is nonsense")
    monkeypatch.setattr("banditplan.validation.validate", lambda *_: verdict)
    assert main(["solve", "--example", "crates"]) == 35
    out, err = capfd.readouterr()
    assert out == ""
    assert "the plan that was found is not valid: step 3 is nonsense" in err
    assert os.listdir(tmp_path) == []


def test_a_lack_of_memory_outside_the_stages_is_22(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def greedy(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("banditplan.validation.validate", greedy)
    assert main(["validate", *examples.paths("crates"), examples.paths("crates")[0]]) == 31  # not a plan
    monkeypatch.setattr("banditplan.cli.solve.format_plan", greedy)
    assert main(["solve", "--example", "crates", "--no-validate"]) == 22
    assert capfd.readouterr().err.endswith("error: out of memory\n")


def test_ctrl_c_outside_the_stages_is_130(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("banditplan.cli.solve.format_plan", interrupted)
    assert main(["solve", "--example", "crates"]) == 130
    assert capfd.readouterr() == ("", "interrupted\n")


# ---- bad input


def error_of(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What is said about a command line that is bad input."""
    assert main(arguments) == 31
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert "Traceback" not in err
    return err.removeprefix("error: ").rstrip("\n")


def test_files_that_cannot_be_read_are_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    domain, problem = write(tmp_path / "task", (COSTS, TRIP.format("")))
    assert error_of(capfd, "solve", "no.pddl") == "no.pddl: no such file"
    assert error_of(capfd, "solve", domain, "no.pddl") == "no.pddl: no such file"
    assert error_of(capfd, "solve", "no.pddl", problem) == "no.pddl: no such file"
    assert error_of(capfd, "solve", str(tmp_path)).startswith(f"{tmp_path}: is a directory; ")
    assert error_of(capfd, "solve", domain, str(tmp_path)).startswith(f"{tmp_path}: is a directory; ")
    assert "is not a text file" in error_of(capfd, "solve", domain, sys.executable)
    Path(problem).write_bytes(TRIP.encode("utf-16"))
    assert "UTF-16; save it as UTF-8" in error_of(capfd, "solve", domain, problem)


def test_a_syntax_error_is_shown_with_its_place_and_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    domain, problem = write(tmp_path, (COSTS, TRIP.format("").replace("(:goal (there))", "\n  (:goal (their))")))
    place, line, caret = error_of(capfd, "solve", domain, problem).split("\n")
    assert place.startswith(f"{problem}:2:11: ")
    assert 'did you mean "there"?' in place
    assert (line, caret) == ("  (:goal (their)))", " " * 10 + "^^^^^")


@pytest.mark.parametrize("text", ["", "(", ")", "hello", "; nothing", "\n\n", "(define)", "(" * 100_000])
def test_odd_texts_are_bad_input(text: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    domain, problem = write(tmp_path, (COSTS, text))
    assert problem in error_of(capfd, "solve", domain, problem)


def test_deep_nesting_is_bad_input(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    deep = "(not " * 100_000 + "(there)" + ")" * 100_000
    domain, problem = write(tmp_path, (COSTS, TRIP.format("").replace("(:goal (there))", f"(:goal {deep})")))
    assert "nested more than 250 levels deep" in error_of(capfd, "solve", domain, problem)


def test_swapped_files_are_recognised(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    domain, problem = write(tmp_path, (COSTS, TRIP.format("")))
    assert "did you swap the two files?" in error_of(capfd, "solve", problem, domain)


def test_without_a_domain_beside_the_problem_it_is_told_what_was_tried(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "p01.pddl").write_text(TRIP.format(""))
    error = error_of(capfd, "solve", "p01.pddl")
    assert error.startswith("p01.pddl: no domain file found beside it (looked for ")
    assert "p01-domain.pddl" in error
    assert "domain.pddl" in error
    assert error.endswith("name it: banditplan solve DOMAIN PROBLEM")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["sovle"], 'unknown command "sovle"; did you mean "solve"?; there are solve, ground, '),
        (["solve"], "no task given: name a problem file, or try --example crates; see `banditplan examples`"),
        (["solve", "a", "b", "c"], "expected [DOMAIN] [PROBLEM], not 3 argument(s); see banditplan solve --help"),
        (["validate"], "expected [DOMAIN] [PROBLEM] PLAN, not 0 argument(s)"),
        (["examples", "a"], "expected no arguments, not 1 argument(s)"),
        (["solve", "--sead=3"], 'unknown option --sead; did you mean "--seed"?; see banditplan solve --help'),
        (["solve", "-q"], "unknown option -q; see"),
        (["solve", "--seed"], "--seed needs a value: --seed N; see"),
        (["solve", "--seed", "x"], "--seed: 'x' is not a valid N; see"),
        (["solve", "--seed", "-1"], "--seed: '-1' is not a valid N; see"),
        (["solve", "--quiet=yes"], "--quiet takes no value; see"),
        (["solve", "--example", "crate"], 'unknown example "crate"; did you mean "crates"?'),
        (["solve", "--example", "crates", "x.pddl"], "give either --example or files, not both"),
        (["solve", "--example", "crates", "--seed", str(2**64)], "seed: expected a whole number from 0 to 184467"),
        (["solve", "--example", "crates", "--max-evaluations=0"], "max_evaluations: expected a whole number from 1"),
        (["solve", "--example", "crates", "--max-expansions=0"], "max_expansions: expected a whole number from 1"),
        (["solve", "--example", "crates", "--time-limit", "soon"], "time limit 'soon': expected a number with a unit"),
        (["solve", "--example", "crates", "--time-limit", "0"], "time limit '0': must be positive"),
        (["solve", "--example", "crates", "--memory-limit", "2X"], "memory limit '2X': expected a number with a unit"),
        (["ground", "--example", "crates", "--memory-limit=-1G"], "memory limit '-1G': must be positive"),
        (["solve", "--example", "crates", "--search", "gbfs("], 'search "gbfs(": '),
        (["solve", "--example", "crates", "--search", "gbsf"], 'unknown component "gbsf"; did you mean "gbfs"?'),
        (
            ["solve", "--example", "crates", "--search", "ff"],
            '"ff" is not a search; known searches: best_first, series',
        ),
    ],
)
def test_a_bad_command_line_is_explained(arguments: list[str], said: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert said in error_of(capfd, *arguments)


@pytest.mark.parametrize(
    "limit", [["--time-limit", "1e300"], ["--memory-limit", "1e30T"], ["--time-limit", "9999999h"]]
)
def test_a_limit_beyond_all_bounds_is_no_limit(limit: list[str], tmp_path: Path) -> None:
    assert run("solve", "--example", "crates", *limit, cwd=tmp_path).returncode == 0


# ---- files and streams that cannot be written


@pytest.mark.parametrize(("option", "what"), [("--plan-file", "the plan"), ("--json", "the record")])
def test_a_file_that_cannot_be_written_is_found_out_at_once(
    option: str, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("banditplan.task_input.parse", lambda *_: pytest.fail("the work began"))
    start = ("solve", "--example", "crates", option)
    for path, reason in [
        ("file/x", f'"{tmp_path / "file"}" is no folder'),
        ("file/y/x", f'"{tmp_path / "file"}" is no folder'),
        (".", "is a directory"),
        ("", "that is no file name"),
    ]:
        assert error_of(capfd, *start, path) == f'cannot write {what} to "{path}": {reason}; choose another {option}'


def test_folders_that_are_written_to_are_made(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    new = tmp_path / "new"
    files = {
        "--plan-file": "plans/plan",
        "--json": "record.json",
        "--trace": "t/t/trace",
        "--explain": "pages/page.html",
    }
    words = [word for option, file in files.items() for word in (option, str(new / file))]
    assert main(["solve", "--example", "crates", *words]) == 0
    assert all((new / file).is_file() for file in files.values())


def test_the_plan_is_on_standard_output_even_if_a_file_fails_late(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    files = write(tmp_path, (COSTS, TRIP.format("")))
    assert main(["solve", *files, "--plan-file", "/dev/full"]) == 31
    out, err = capfd.readouterr()
    assert out == "(go)\n; cost = 1\n"
    assert err.endswith('error: cannot write the plan to "/dev/full": No space left on device\n')
    assert main(["solve", *files, "--json", "/dev/full"]) == 31
    out, err = capfd.readouterr()
    assert out == "(go)\n; cost = 1\n"
    assert err.endswith('error: cannot write the record to "/dev/full": No space left on device\n')
    assert (tmp_path / "sas_plan").read_text().startswith("(go)\n")


@pytest.mark.parametrize(
    ("redirection", "reason"), [(">&-", "it is closed"), (">/dev/full", "No space left on device")]
)
def test_without_standard_output_the_plan_file_is_written_all_the_same(
    redirection: str, reason: str, tmp_path: Path
) -> None:
    done = run_redirected(redirection, "solve", "--example", "crates", cwd=tmp_path)
    assert done.returncode == 31
    assert "error: cannot write to standard output: " in done.stderr
    assert done.stderr.endswith(f"{reason}\n")
    assert "Traceback" not in done.stderr
    assert (tmp_path / "sas_plan").read_text().endswith("(unit cost)\n")
    done = run_redirected(redirection, "--help", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (31, "")
    assert done.stderr.startswith("error: cannot write to standard output: ")


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full", "<&-", "<&- 2>&-"])
def test_standard_error_and_standard_input_may_be_closed(redirection: str, tmp_path: Path) -> None:
    done = run_redirected(redirection, "solve", "--example", "crates", cwd=tmp_path)
    assert done.returncode == 0
    assert (tmp_path / "sas_plan").read_text().startswith(done.stdout.rstrip())
    assert done.stdout.startswith("(")
    assert run_redirected(redirection, "solve", "nothing", cwd=tmp_path).returncode == 31


@pytest.mark.parametrize(
    "arguments", [["solve", "--example", "crates"], ["solve", "--example", "crates", "--json=-"], ["examples"]]
)
def test_a_reader_who_has_left_is_no_error(arguments: list[str], tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run([*COMMAND, *arguments], cwd=tmp_path, stdout=writer, stderr=subprocess.PIPE, timeout=60)
    finally:
        os.close(writer)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert (tmp_path / "sas_plan").exists() == ("solve" in arguments)


def test_the_first_line_can_be_taken_with_head(tmp_path: Path) -> None:
    done = run_redirected("| head -n 1", "solve", "--example", "crates", cwd=tmp_path)
    assert (done.returncode, done.stdout.count("\n")) == (0, 1)
    assert "Traceback" not in done.stderr


# ---- the terminal


def test_on_a_terminal_a_line_moves_and_is_cleared(tmp_path: Path) -> None:
    files = write(tmp_path, endless_search())
    with OnTerminal("solve", *files, "--time-limit", "1s", cwd=tmp_path) as command:
        assert command.wait() == 23
        screen = command.screen
    stages = ("parsing …", "grounding …", "preparing …", "searching …", "best h ")
    assert screen.startswith("".join(f"\r\x1b[K{stage}" for stage in stages))
    assert screen.count("\r\x1b[Kbest h ") >= 2
    before, _, last = screen.rpartition("\r\x1b[K")
    assert before.endswith(" s")
    assert last.startswith("time-limit: no plan within the time limit; ")


def test_the_moving_line_never_wraps(tmp_path: Path) -> None:
    files = write(tmp_path, endless_search())
    with OnTerminal("solve", *files, "--time-limit", "1s", cwd=tmp_path, columns=30) as command:
        assert command.wait() == 23
        moving = command.screen.split("\r\x1b[K")[:-1]
    assert len(moving) > 4
    assert max(map(len, moving)) == 29


def test_on_a_terminal_an_error_stands_on_a_line_of_its_own(tmp_path: Path) -> None:
    for command in ("solve", "ground"):
        with OnTerminal(command, *write(tmp_path, (COSTS, "(")), cwd=tmp_path) as terminal:
            assert terminal.wait() == 31
            assert "\r\x1b[Kerror: " in terminal.screen


def test_on_a_terminal_quiet_is_quiet(tmp_path: Path) -> None:
    with OnTerminal("solve", "--example", "crates", "--quiet", cwd=tmp_path) as command:
        assert command.wait() == 0
        assert command.screen == ""
        assert command.stdout.startswith("(")


# ---- the other commands


def test_the_version_and_the_help_are_told(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capfd.readouterr() == (f"banditplan {VERSION}\n", "")
    for words in (["--help"], ["-h"], ["help"]):
        assert main(words) == 0
        out, err = capfd.readouterr()
        assert all(f"\n  {command.name} " in out for command in COMMANDS)
        assert err == ""
    assert main([]) == 31
    assert capfd.readouterr().out.startswith("usage: banditplan COMMAND")


@pytest.mark.parametrize(("name", "known"), named(COMMANDS).items(), ids=named(COMMANDS))
def test_every_command_has_help(name: str, known: Command, capfd: pytest.CaptureFixture[str]) -> None:
    for words in ([*name.split(), "--help"], [*name.split(), "x", "-h"]):
        assert main(words) == 0
        out, err = capfd.readouterr()
        assert out.startswith(f"usage: banditplan {name}")
        assert known.summary in out
        assert all(f"  {option.name}" in out for option in known.options)
        assert max(map(len, out.splitlines())) <= 120
        assert err == ""


def test_the_installed_command_is_the_module(tmp_path: Path) -> None:
    script = Path(sys.executable).with_name("banditplan")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"banditplan {VERSION}\n", "")
    assert run("--version", cwd=tmp_path).stdout == done.stdout


def test_examples_are_listed_with_what_they_show(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["examples"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(examples.names())
    assert all(line.endswith(".") for line in lines)


def test_validate_tells_the_cost_or_the_step_that_fails(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = write(tmp_path, (COSTS, TRIP.format("(:metric minimize (total-cost))")))

    def verdict(plan: str) -> tuple[int, str, str]:
        (tmp_path / "plan").write_text(plan)
        return (main(["validate", *files, "plan"]), *capfd.readouterr())

    assert verdict("(go)\n; cost = 7 (general cost)\n") == (0, "valid: 1 steps, cost 7 (general cost)\n", "")
    code, out, err = verdict("(go)\n(go)\n")
    assert (code, err) == (1, "")
    assert out.startswith("invalid: step 2 (go): ")
    assert "(here)" in out
    code, out, _ = verdict("")
    assert code == 1
    assert out.startswith("invalid: ")
    assert "(there)" in out
    code, out, err = verdict("go there\n")
    assert (code, out) == (31, "")
    assert err.startswith("error: plan:1:1: a step is written as (action argument ...), one per line")
    assert main(["validate", *files, "none"]) == 31
    assert capfd.readouterr() == ("", "error: none: no such file\n")


def test_ground_tells_sizes_seconds_and_memory(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = write(tmp_path, sliding(3, 3))
    assert main(["ground", *files]) == 0
    out, err = capfd.readouterr()
    names = [line.partition(":")[0] for line in out.splitlines()]
    assert names == [
        *("variables", "facts", "actions", "axioms", "bytes per state"),
        *("seconds parse", "seconds normalize", "seconds ground", "seconds total", "peak memory"),
    ]
    assert "actions: 192\n" in out
    assert err == ""
    assert main(["ground", *files, "--json", "-"]) == 0
    answer = json.loads(capfd.readouterr().out)
    assert answer["task"]["actions"] == 192
    assert main(["ground", *files, "--json", "sizes.json"]) == 0
    assert json.loads((tmp_path / "sizes.json").read_text())["task"] == answer["task"]
    assert capfd.readouterr().out.startswith("variables: ")
    assert not (tmp_path / "sas_plan").exists()


def test_ground_lists_landmarks_and_their_orders(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["ground", "--example", "crates", "--landmarks"]) == 0
    lines = capfd.readouterr().out.splitlines()
    task = bp.load(*bp.example("crates"))
    graph = task.landmarks()
    begin = lines.index(f"landmarks: {len(graph)}") + 1
    listed = lines[begin : begin + len(graph)]
    assert [line.split(": ", 1)[1].split(" [")[0] for line in listed] == [
        " or ".join(landmark.facts) for landmark in graph.landmarks
    ]
    goals = [line for line in listed if line.endswith("[goal]")]
    assert {line.split(": ", 1)[1].split(" [")[0] for line in goals} == set(task.goal)
    orders = lines[lines.index(f"orders: {len(graph.orders)}") + 1 :]
    assert orders == [f"  {before} -> {after} {kind}" for before, after, kind in graph.orders]
    assert {"greedy-necessary", "natural"} <= {kind for _, _, kind in graph.orders}


def test_ground_tells_that_a_task_is_unsolvable(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["ground", "--example", "island"]) == 11
    assert capfd.readouterr().err.startswith("unsolvable: ")
    assert main(["ground", "--example", "levers"]) == 0  # only a search can tell


def test_mutex_pruning_can_be_switched_off(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = write(tmp_path, sliding(2, 3))
    for command in ("solve", "ground"):
        assert main([command, *files, "--no-prune-mutex", "--quiet", "--json=-"]) == (11 if command == "solve" else 0)
        assert json.loads(capfd.readouterr().out)["task"]["actions"] > 0


# ---- start-up


SLOW_MODULES = ("argparse", "dataclasses", "enum", "json", "pathlib", "re", "subprocess", "traceback", "typing")


def modules_after(code: str, cwd: Path) -> set[str]:
    """The modules that are there after the code, without those that a bare interpreter has."""
    show = "\nimport sys; print('\\n'.join(sorted(sys.modules)))"
    with_code, bare = (
        subprocess.run([sys.executable, "-c", text + show], cwd=cwd, capture_output=True, text=True, check=True)
        for text in (code, "")
    )
    return set(with_code.stdout.split("\n")) - set(bare.stdout.split("\n"))


def test_the_package_is_imported_without_the_core_or_anything_slow(tmp_path: Path) -> None:
    modules = modules_after("import banditplan", tmp_path)
    assert "banditplan" in modules
    assert not [name for name in modules if name.startswith("banditplan.")]
    assert modules.isdisjoint(SLOW_MODULES)


def test_solving_imports_nothing_slow(tmp_path: Path) -> None:
    files = write(tmp_path, (COSTS, TRIP.format("")))
    code = f"from banditplan.cli.main import main; assert main(['solve', *{files!r}]) == 0"
    modules = modules_after(code, tmp_path)
    assert "banditplan._core" in modules
    assert modules.isdisjoint(SLOW_MODULES)


# ---- what people type


def test_files_alone_mean_solve(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = examples.paths("crates")
    assert main([*files, "--quiet"]) == 0
    plan = capfd.readouterr().out
    assert main(["solve", *files, "--quiet"]) == 0
    assert capfd.readouterr().out == plan
    assert main(["nowhere.pddl"]) == 31
    assert capfd.readouterr().err == "error: nowhere.pddl: no such file\n"
    assert main(["nonsense"]) == 31
    assert 'unknown command "nonsense"' in capfd.readouterr().err


def test_help_of_a_command(capfd: pytest.CaptureFixture[str]) -> None:
    for words in (["solve"], ["experiment", "run"]):
        assert main(["help", *words]) == 0
        told = capfd.readouterr().out
        assert main([*words, "--help"]) == 0
        assert capfd.readouterr().out == told
        assert told.startswith(f"usage: banditplan {' '.join(words)}")


def test_a_domain_alone_or_swapped_files_are_recognised(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    domain, problem = examples.paths("crates")
    assert main(["solve", domain]) == 31
    assert f"{domain}: is a domain, and a task needs a problem, too" in capfd.readouterr().err
    assert main(["solve", problem, domain]) == 31
    assert "did you swap the two files?" in capfd.readouterr().err


def test_several_errors_are_shown(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    domain = tmp_path / "d.pddl"
    domain.write_text("(define (domain d) (:predicates (p)) (:action a :effect (q1)) (:action b :effect (q2)))")
    problem = tmp_path / "p.pddl"
    problem.write_text("(define (problem x) (:domain d) (:init) (:goal (p)))")
    assert main(["solve", str(domain), str(problem)]) == 31
    lines = capfd.readouterr().err.splitlines()
    assert [line.partition("d.pddl:")[2] for line in lines[::3]] == [
        '1:58: unknown predicate "q1"',
        '1:83: unknown predicate "q2"',
    ]


def test_the_heuristic_of_a_search(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def said(*words: str) -> str:
        main(["solve", "--example", "crates", *words])
        return capfd.readouterr().err

    assert "; guct(heuristic=hadd, bandit=normal2, preferred=True), seed 0" in said("--heuristic", "hadd")
    assert "; gbfs(heuristic=hmax), seed 0" in said("--search", "gbfs", "--heuristic", "hmax")
    assert "names its heuristic already" in said("--search", "gbfs(hmax)", "--heuristic", "hadd")
    assert "does not have one heuristic to set" in said("--search", "lama-first", "--heuristic", "hadd")
    assert 'did you mean "hadd"?' in said("--heuristic", "had")


# ---- functions in Python


MINE = """
def careful(arms):
    return [mean - variance for mean, variance in zip(arms.mean, arms.variance)]

class Family:
    @staticmethod
    def goals(states):
        return [1] * len(states)
"""


def test_functions_of_an_imported_file_can_be_searched_with(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(MINE)
    record = tmp_path / "record.json"
    words = ["solve", "--example", "crates", "--plan-file", str(tmp_path / "plan"), "--json", str(record)]
    text = "guct(bandit=mine.careful, heuristic=mine.Family.goals)"
    assert main([*words, "--import", str(mine), "--search", text]) == 0
    first = json.loads(record.read_text())
    assert first["search"].startswith("guct(heuristic=python(mine.Family.goals), bandit=python(mine.careful), ")
    assert first["imports"] == {"mine": sha256(mine.read_bytes()).hexdigest()}
    # The record's own text gives the same run again.
    assert main([*words, "--import", str(mine), "--search", first["search"]]) == 0
    second = json.loads(record.read_text())
    assert (second["search"], second["evaluations"]) == (first["search"], first["evaluations"])
    assert main(["solve", "--example", "crates", "--plan-file", str(tmp_path / "plan"), "--json", str(record)]) == 0
    assert json.loads(record.read_text())["imports"] == {}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--search", "guct(bandit=mine.careful)"], 'no Python file "mine.py" was imported; give --import mine.py'),
        (["--import", "mine.py"], "--import serves --search"),
        (
            ["--import", "mine.py", "--search", "guct(bandit=mine.carefull)"],
            'mine has no "carefull"; did you mean "careful"?',
        ),
        (["--import", "none.py", "--search", "gbfs"], "none.py: no such file"),
        (["--import", "mine.txt", "--search", "gbfs"], "mine.txt: not the name of a Python module, such as mine.py"),
        (["--import", "mine.py,mine.py", "--search", "gbfs"], "another file with that name was imported"),
        (["--import", "bad.py", "--search", "gbfs"], "bad.py:2: NameError: name 'oops' is not defined"),
        (
            ["--import", "mine.py", "--search", "guct(bandit=mine)"],
            "guct: bandit must be of type Bandit, not <module 'mine'",
        ),
    ],
)
def test_what_cannot_be_imported_is_said(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "bad.py").write_text("\noops\n")
    monkeypatch.chdir(tmp_path)
    assert message in error_of(capfd, "solve", "--example", "crates", *words)


def test_threads_are_for_races(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["solve", "--example", "crates", "--plan-file", "-", "--search"]
    assert main([*words, "race([gbfs, guct])", "--threads", "2"]) == 0
    assert "race(searches=[gbfs, guct], threads=2), seed 0" in capfd.readouterr().err
    assert "gbfs is one search" in error_of(capfd, *words, "gbfs", "--threads", "2")
    assert "threads must be from 1" in error_of(capfd, *words, "race([gbfs])", "--threads", "999")


def test_a_long_sentence_is_cut_where_the_result_is_told(tmp_path: Path) -> None:
    done = run("solve", "--example", "crates", "--search", "lama", cwd=tmp_path)
    told = done.stderr.splitlines()[-1]
    assert "; series(searches=[lama_first, " in told
    assert told.endswith("…, seed 0")
    assert len(told) < 300
    result = bp.solve(*bp.example("crates"), search="lama")
    assert len(repr(result)) < 300 < len(result.algorithm)
