"""The ledger: what goes in comes out, once, whoever asks; and what is wrong is said."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from banditplan.errors import InputError
from banditplan.experiments.define.experiment import Experiment
from banditplan.experiments.ledger import FILE, Ledger, LedgerError
from banditplan.experiments.runs import Key, Run

EXPERIMENT = Experiment(
    name="small",
    summary="",
    suite="examples",
    algorithms={"gbfs": "gbfs", "guct": "guct"},
    columns={"ff": "heuristic=ff"},
    seeds=(1, 2),
    max_evaluations=1000,
    max_expansions=None,
    time_limit=None,
    memory_limit_kb=None,
    prune_mutex=False,
)


def run(number: int, **changes: object) -> Run:
    made = Run(
        key=Key("guct", "ff", "crates", f"p{number:02}.pddl", 1),
        search="guct(heuristic=ff)",
        status="solved",
        exit="ok",
        output="",
        valid=True,
        plan_length=3,
        plan_cost=30,
        evaluations=10,
        inserted=10,
        expansions=4,
        generated=12,
        dead_ends=0,
        initial_h=3,
        best_h=1,
        search_seconds=0.25,
        total_seconds=0.5,
        peak_memory_kb=2000,
        actions=7,
        prune_mutex=False,
        max_evaluations=1000,
        max_expansions=None,
        time_limit=None,
        memory_limit_kb=None,
        host="here",
        version="0",
        started="2026-01-01T00:00:00+00:00",
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def test_what_goes_in_comes_out(tmp_path: Path) -> None:
    runs = [
        run(1),
        run(2, status="crash", exit="signal", output="ended\nby a signal", valid=None, plan_length=None, actions=None),
        run(3, valid=False),
    ]
    with Ledger.write(tmp_path, EXPERIMENT) as ledger:
        assert ledger.add(runs[0]) == 1
        assert ledger.add(runs[1:]) == 2
        assert ledger.runs() == runs
    with Ledger.open(tmp_path) as ledger:
        assert ledger.runs() == runs
        assert ledger.keys() == {run.key for run in runs}
        assert ledger.tally() == {("guct", "ff"): (3, 2)}
        assert ledger.experiment == EXPERIMENT
        assert ledger.machine["cores"] == os.cpu_count()
        assert ledger.versions["python"] == ".".join(map(str, sys.version_info[:3]))


def test_a_run_is_kept_once_and_the_first_counts(tmp_path: Path) -> None:
    with Ledger.write(tmp_path, EXPERIMENT) as ledger:
        ledger.add(run(1))
        assert ledger.add([run(1, status="exhausted"), run(2)]) == 1
        assert ledger.runs() == [run(1), run(2)]


def test_a_ledger_can_be_read_while_it_grows(tmp_path: Path) -> None:
    with Ledger.write(tmp_path, EXPERIMENT) as writer, Ledger.open(tmp_path) as reader:
        writer.add(run(1))
        assert reader.runs() == [run(1)]


def test_a_ledger_in_a_folder_that_cannot_be_written_can_be_read(tmp_path: Path) -> None:
    with Ledger.write(tmp_path, EXPERIMENT) as ledger:
        ledger.add(run(1))
    tmp_path.chmod(0o500)
    try:
        with Ledger.open(tmp_path) as ledger:
            assert ledger.runs() == [run(1)]
    finally:
        tmp_path.chmod(0o700)


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    code = f"""
from banditplan.experiments.define.experiment import Experiment
from banditplan.experiments.ledger import Ledger
Ledger.write({str(tmp_path)!r}, Experiment.from_data({EXPERIMENT.to_data()!r}))
print("held", flush=True)
input()
"""
    holder = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(InputError, match=rf"another run of this experiment is going on \(process {holder.pid} on"):
            Ledger.write(tmp_path, EXPERIMENT)
        holder.kill()
    with Ledger.write(tmp_path, EXPERIMENT) as ledger:
        assert ledger.runs() == []


def test_a_full_disk_is_said_and_costs_nothing_that_was_added(tmp_path: Path) -> None:
    with Ledger.write(tmp_path, EXPERIMENT) as ledger:
        ledger.add(run(1))
        ledger._connection.execute("PRAGMA max_page_count = 1")
        with pytest.raises(LedgerError, match="database or disk is full; nothing is lost but the runs under way"):
            ledger.add([run(number, output="x" * 4000) for number in range(2, 50)])
        ledger._connection.execute("PRAGMA max_page_count = 100000")
        ledger.add(run(2))
    with Ledger.open(tmp_path) as ledger:
        assert ledger.runs() == [run(1), run(2)]


def test_a_ledger_takes_more_of_the_same_and_nothing_else(tmp_path: Path) -> None:
    with Ledger.write(tmp_path, EXPERIMENT) as ledger:
        ledger.add(run(1))
    more = replace(EXPERIMENT, algorithms={"guct": "guct", "mine": "guct(c=7)"}, seeds=(3,))
    with Ledger.write(tmp_path, more) as ledger:
        assert list(ledger.experiment.algorithms) == ["gbfs", "guct", "mine"]
        assert ledger.experiment.seeds == (1, 2, 3)
    for change, reason in (
        ({"max_evaluations": 5}, "its runs have max_evaluations = 1000, not 5"),
        ({"prune_mutex": True}, "its runs have prune_mutex = False, not True"),
        ({"algorithms": {"guct": "guct(c=2)"}}, "its algorithm \"guct\" stands for 'guct', not"),
        ({"columns": {"ff": "heuristic=hadd"}}, 'its column "ff" stands for'),
    ):
        with pytest.raises(LedgerError, match=f"holds another experiment: {reason}.*choose another --out"):
            Ledger.write(tmp_path, replace(EXPERIMENT, **change))  # type: ignore[arg-type]


def test_what_is_no_ledger_is_said(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="no experiment there"):
        Ledger.open(tmp_path)
    (tmp_path / FILE).write_text("no database at all, but long enough to be read as one " * 20)
    for use in (lambda: Ledger.open(tmp_path), lambda: Ledger.write(tmp_path, EXPERIMENT)):
        with pytest.raises(LedgerError, match="not a ledger of this version"):
            use()
    (tmp_path / FILE).unlink()
    sqlite3.connect(tmp_path / FILE).execute("CREATE TABLE something (x)").connection.close()
    with pytest.raises(LedgerError, match="no such table"):
        Ledger.open(tmp_path)
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(LedgerError, match=r"cannot keep a ledger there: .*; choose another --out"):
        Ledger.write(file / "below", EXPERIMENT)
