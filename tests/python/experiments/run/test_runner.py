"""Runs that keep no limit, crash, print, start processes of their own; sessions that are stopped, doubled, resumed."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from command import OnTerminal, run
from sessions import PATIENCE, Session, eventually, made, timeless

from banditplan.cli.main import main
from banditplan.experiments.ledger import Ledger
from banditplan.experiments.runs import Run

pytestmark = pytest.mark.load

MISBEHAVIOUR = """
import os, signal, subprocess, sys, time

def fine(states):
    print("what a run that ends well prints is of no interest")
    return [0 for state in states]

def hang(states):
    while True:
        pass

def raises(states):
    raise ValueError("a heuristic that fails")

def crashes(states):
    os.kill(os.getpid(), signal.SIGSEGV)

def leaves(states):
    print("some last words", flush=True)
    os._exit(3)

def chatty(states):
    for number in range(100_000):
        print("line", number)
    raise ValueError("after many words")

def eats(states):
    food = []
    while True:
        food.append(bytearray(20_000_000))

def feeds(states):
    code = (
        "import resource, time; resource.setrlimit(resource.RLIMIT_AS, (-1, -1)); "
        "x = bytearray(150_000_000); time.sleep(100)"
    )
    children = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(3)]
    time.sleep(100)

def kills(states):
    # the slot, which is the parent of our parent
    with open(f"/proc/{os.getppid()}/stat") as file:
        os.kill(int(file.read().split()[3]), signal.SIGKILL)
    time.sleep(1000)

def parent(states):
    subprocess.Popen(["sleep", "1000"])
    subprocess.Popen(["sleep", "1000"], start_new_session=True)
    subprocess.Popen(["sh", "-c", "sleep 1000 & sleep 1000"], start_new_session=True)
    return [0 for state in states]

def parent_that_hangs(states):
    parent(states)
    time.sleep(1000)

experiment = dict(
    suite="examples:lights",
    algorithms=["gbfs"],
    columns={name: f"heuristic={name}" for name in (
        "fine", "hang", "raises", "crashes", "leaves", "chatty", "eats", "feeds", "parent", "parent_that_hangs", "kills"
    )},
    time_limit=TIME,
    memory_limit="400M",
)
"""


def misbehaviour(folder: Path, seconds: float = 2) -> str:
    path = folder / "mine.py"
    path.write_text(MISBEHAVIOUR.replace("TIME", str(seconds)))
    return str(path)


def runs(folder: Path) -> dict[str, Run]:
    with Ledger.open(folder) as ledger:
        return {run.key.column: run for run in ledger.runs()}


def ended(columns: str, seconds: float, folder: Path) -> tuple[int, str, dict[str, Run]]:
    """The exit code of an experiment, what it says and its runs; nothing else may be left of it."""
    arguments = ("--out", "out", "--jobs", "2", "--columns", columns)
    with Session(misbehaviour(folder, seconds), *arguments, cwd=folder) as session:
        code, said = session.end()
        eventually(lambda: not session.processes(), "no process is left")
    return code, said, runs(folder / "out")


def test_runs_that_hang_are_ended_and_leave_nothing(tmp_path: Path) -> None:
    code, said, found = ended("hang,parent_that_hangs", 2, tmp_path)
    assert code == 0, said
    assert {(run.status, run.exit) for run in found.values()} == {("time-limit", "killed-time")}
    assert all(2 < (run.total_seconds or 0) < PATIENCE for run in found.values())


def test_whatever_a_run_does_is_recorded_and_leaves_nothing(tmp_path: Path) -> None:
    code, said, found = ended("fine,raises,crashes,leaves,chatty,eats,feeds,parent", PATIENCE, tmp_path)
    assert code == 1, said
    assert {name: (run.status, run.exit) for name, run in found.items()} == {
        "fine": ("solved", "ok"),
        "raises": ("error", "error"),
        "crashes": ("crash", "signal"),
        "leaves": ("crash", "error"),
        "chatty": ("error", "error"),
        "eats": ("memory-limit", "ok"),
        "feeds": ("memory-limit", "killed-memory"),
        "parent": ("solved", "ok"),
    }
    assert {name for name, run in found.items() if run.failed} == {"raises", "crashes", "leaves", "chatty"}
    assert found["fine"].output == ""
    assert found["fine"].valid is True
    assert found["raises"].output.endswith("ValueError: a heuristic that fails")
    assert found["crashes"].output == "ended by signal 11 (SIGSEGV)"
    assert found["leaves"].output == "some last words\nended with exit code 3 and without a result"
    assert "line 99999" in found["chatty"].output
    assert len(found["chatty"].output) <= 4000
    assert "4 failed" in said
    assert "failed: gbfs, raises, lights/problem.pddl, seed 0: error (error): ValueError: a heuristic that f" in said


@pytest.mark.parametrize(
    ("limit", "status"), [("time_limit = 0.0001", "time-limit"), ('memory_limit = "9M"', "memory-limit")]
)
def test_a_limit_that_strikes_while_the_task_is_loaded_counts_for_all_runs(
    tmp_path: Path, limit: str, status: str
) -> None:
    (tmp_path / "mine.toml").write_text(
        f'suite = "examples:crates"\nalgorithms = ["gbfs", "guct"]\nseeds = 2\n{limit}\n'
    )
    done = run("experiment", "run", "mine.toml", "--out", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with Ledger.open(tmp_path / "out") as ledger:
        assert [run.status for run in ledger.runs()] == [status] * 3
        assert not any(run.failed for run in ledger.runs())


def test_a_task_that_cannot_be_read_is_an_error_of_all_its_runs(tmp_path: Path) -> None:
    for domain, text in (("bad", "(define (domain bad"), ("worse", "\x00")):
        (tmp_path / "tasks" / domain).mkdir(parents=True)
        for name in ("domain.pddl", "p.pddl"):
            (tmp_path / "tasks" / domain / name).write_text(text)
    (tmp_path / "mine.toml").write_text('suite = "folder:tasks"\nalgorithms = ["gbfs", "guct"]\n')
    done = run("experiment", "run", "mine.toml", "--out", "out", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    with Ledger.open(tmp_path / "out") as ledger:
        found = ledger.runs()
    assert len(found) == 4
    assert all((run.status, run.exit) == ("error", "error") and run.failed for run in found)
    assert all(f"tasks/{run.key.domain}/domain.pddl" in run.output for run in found)
    assert all(run.output.startswith("error: ") for run in found)


def test_a_runner_that_is_killed_leaves_no_process(tmp_path: Path) -> None:
    columns = ["--columns", "parent_that_hangs"]
    with Session(misbehaviour(tmp_path, 100), "--out", "out", *columns, cwd=tmp_path) as session:
        eventually(lambda: len(session.processes("sleep 1000")) >= 4, "the run has started its processes")
        session.process.kill()
        session.process.wait()
        eventually(lambda: not session.processes(), "no process is left")
    assert made(tmp_path / "out") == 0


def test_a_slot_or_a_task_that_is_killed_costs_no_more_than_its_run(tmp_path: Path) -> None:
    columns = ["--columns", "hang,fine", "--jobs", "1"]
    with Session(misbehaviour(tmp_path, 3), "--out", "out", *columns, cwd=tmp_path) as session:
        eventually(lambda: len(session.processes("experiments.run.slot")) == 3, "slot, task and run are there")
        os.kill(min(session.processes()), signal.SIGKILL)  # the first of them is the slot
        code, said = session.end()
        assert code == 0, said
        eventually(lambda: not session.processes(), "no process is left")
    assert {name: run.status for name, run in runs(tmp_path / "out").items()} == {
        "hang": "time-limit",
        "fine": "solved",
    }

    with Session(misbehaviour(tmp_path, 30), "--out", "other", *columns, cwd=tmp_path) as session:
        eventually(lambda: len(session.processes("experiments.run.slot")) == 3, "slot, task and run are there")
        os.kill(sorted(session.processes())[1], signal.SIGKILL)  # the process that holds the task
        code, said = session.end()
        assert code == 1, said
        eventually(lambda: not session.processes(), "no process is left")
    found = runs(tmp_path / "other")
    assert (found["hang"].status, found["hang"].exit) == ("crash", "signal")
    assert found["hang"].output == "ended by signal 9 (SIGKILL)"
    assert found["fine"].solved


def test_a_run_that_kills_its_slot_is_given_up_and_the_others_are_made(tmp_path: Path) -> None:
    columns = ["--columns", "kills,fine,raises,leaves", "--jobs", "1"]
    with Session(misbehaviour(tmp_path, 30), "--out", "out", *columns, cwd=tmp_path) as session:
        code, said = session.end()
        assert code == 1, said
        eventually(lambda: not session.processes(), "no process is left")
    found = runs(tmp_path / "out")
    assert {name: run.status for name, run in found.items()} == {
        "kills": "crash",
        "fine": "solved",
        "raises": "error",
        "leaves": "crash",
    }
    assert found["kills"].output == "the process that watches over the run ended, 3 times"


def test_a_python_file_that_has_changed_is_pointed_out(tmp_path: Path) -> None:
    file = Path(misbehaviour(tmp_path))
    words = ("experiment", "run", str(file), "--out", "out", "--columns", "fine")

    def said(*more: str) -> tuple[int, str]:
        done = run(*words, *more, cwd=tmp_path)
        return done.returncode, done.stderr

    assert said()[0] == 0
    file.write_text(file.read_text() + "# nothing but a comment\n")
    for more in ((), ("--seeds", "9"), ()):
        code, text = said(*more)
        assert code == 0
        assert "has changed" not in text
    file.write_text(
        file.read_text() + 'experiment["columns"]["more"] = "heuristic=ff"\nexperiment["suite"] = "examples"\n'
    )
    code, text = said()
    assert code == 0
    assert "has changed since the ledger was begun: suite examples, before examples:lights; more columns: more" in text
    file.write_text(file.read_text() + "def fine(states):\n    return [1] * len(states)\n")
    code, text = said()
    assert code == 31
    assert "its runs were made with another fine, which the Python file defines; choose another --out" in text


def test_a_second_runner_is_refused_and_ctrl_c_stops_the_first(tmp_path: Path) -> None:
    columns = ["--columns", "hang"]
    file = misbehaviour(tmp_path, 100)
    with Session(file, "--out", "out", *columns, cwd=tmp_path) as session:
        eventually(lambda: bool(session.processes()), "slots are there")
        done = run("experiment", "run", file, "--out", "out", *columns, cwd=tmp_path)
        assert done.returncode == 31
        assert f"another run of this experiment is going on (process {session.process.pid} on" in done.stderr
        session.process.send_signal(signal.SIGINT)
        code, said = session.end()
        assert code == 130
        assert "stopped; the same command goes on" in said
        eventually(lambda: not session.processes(), "no process is left")


def test_parts_of_an_experiment_fill_one_ledger(tmp_path: Path) -> None:
    def go(*arguments: str) -> str:
        done = run("experiment", "run", "quick", "--suite", "examples:crates,lights", *arguments, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stderr

    parts, whole = tmp_path / "experiments" / "quick", tmp_path / "whole"
    assert "1 runs" in go("--algorithms", "gbfs", "--columns", "ff", "--suite", "examples:crates")
    assert made(parts) == 1
    assert "4 runs, 1 of them already in the ledger" in go("--algorithms", "gbfs")
    assert "16 runs" in go("--seeds", "1,3", "--algorithms", "guct-normal2, guct", "--columns", "hadd,ff")
    go()
    go("--out", "whole")
    assert timeless(parts) == timeless(whole)
    assert len(timeless(whole)) == 2 * 2 * (1 + 3 + 3)


def test_list_and_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)

    def said(*words: str) -> str:
        assert main(["experiment", *words]) == 0
        return capfd.readouterr().out

    listed = said("list")
    for name in ("quick", "table1", "table1-c", "domains", "ipc18", "paper", "examples", "folder:PATH"):
        assert f"\n  {name} " in listed
    shown = said("show", "table1")
    assert "\nmax_evaluations: 10000\n" in shown
    assert "\n  ff+po: heuristic=ff, preferred=True\n" in shown
    assert said("run", "quick", "--suite", "examples:crates", "--quiet") == ""
    assert "\n14 runs so far\n" in said("show", "experiments/quick")
    for words in (
        ["show", "nothing"],
        ["run"],
        ["rum"],
        ["run", "quick", "--jobs", "0"],
        ["run", "quick", "--seeds", "3-1"],
        ["run", "quick", "--seeds", "x"],
    ):
        assert main(["experiment", *words]) == 31
        out, err = capfd.readouterr()
        assert out == ""
        assert err.startswith("error: ")


def test_on_a_terminal_a_table_moves(tmp_path: Path) -> None:
    # Long enough to be looked at more than once, on any machine.
    with OnTerminal("experiment", "run", "quick", "--seeds", "1-20", "--jobs", "1", cwd=tmp_path) as command:
        assert command.wait() == 0
    assert "\x1b[J" in command.screen
    assert "1,066 of 1,066 runs (100 %)" in command.screen
    assert "has changed" not in command.screen
    assert "solved/runs    ff  hadd" in command.screen


FRAGILE = """
import os

def fragile(states):
    if not os.path.exists("mended"):
        raise RuntimeError("it is broken")
    return [1] * len(states)

experiment = dict(suite="examples:crates", algorithms=["gbfs"], columns={"fine": "", "fragile": "heuristic=fragile"})
"""


def test_failed_runs_are_made_again_on_request_and_only_those(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FRAGILE)
    words = ("experiment", "run", "mine.py", "--out", "out")
    done = run(*words, cwd=tmp_path)
    assert done.returncode == 1
    assert "crates/" in done.stderr
    assert "RuntimeError: it is broken" in done.stderr
    assert "failed runs: 1" in done.stderr
    before = runs(tmp_path / "out")
    (tmp_path / "mended").touch()
    assert run(*words, cwd=tmp_path).returncode == 1  # still in the ledger
    done = run(*words, "--retry", "all", cwd=tmp_path)
    assert done.returncode == 31
    assert "'all' is not a valid failed" in done.stderr
    done = run(*words, "--retry", "failed", "--columns", "fine", cwd=tmp_path)
    assert "0 failed runs are made again" in done.stderr
    done = run(*words, "--retry", "failed", cwd=tmp_path)
    assert done.returncode == 0
    after = runs(tmp_path / "out")
    assert before["fine"] == after["fine"]
    assert (before["fragile"].status, after["fragile"].status) == ("error", "solved")


def test_functions_of_imported_files_are_run_and_kept_with_the_ledger(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("def zero(states):\n    return [0] * len(states)\n")
    (tmp_path / "plain.toml").write_text(
        'suite = "examples:crates"\nalgorithms = ["gbfs(heuristic=own.zero)"]\n[columns]\nall = ""\n'
    )
    words = ("experiment", "run", "plain.toml", "--out", "out")
    done = run(*words, cwd=tmp_path)
    assert done.returncode == 31
    assert 'no Python file "own.py" was imported; give --import own.py' in done.stderr
    assert run(*words, "--import", "own.py", cwd=tmp_path).returncode == 0
    with Ledger.open(tmp_path / "out") as ledger:
        (made,) = ledger.runs()
        assert made.search.startswith("gbfs(heuristic=python(own.zero), ")
        assert made.key.seed == 0
        assert "def zero(states)" in ledger.experiment.code
