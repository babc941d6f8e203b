"""Tables, against ledgers that are small enough for a pencil."""

from __future__ import annotations

import math

import pytest
from synthetic_runs import run

from banditplan.experiments.report import paper
from banditplan.experiments.report.algorithm import algorithm
from banditplan.experiments.report.attributes import agile
from banditplan.experiments.report.cutoffs import Cutoffs, within
from banditplan.experiments.report.results import Configuration, results
from banditplan.experiments.report.table import Cell, Table
from banditplan.experiments.report.tables.coverage import coverage_table
from banditplan.experiments.report.tables.domains import domain_table, ipc18_table
from banditplan.experiments.report.tables.effort import effort_table
from banditplan.experiments.report.tables.failures import endings_table, failures_table
from banditplan.experiments.report.tables.significance import significance_table
from banditplan.experiments.runs import Run

LIMITS = Cutoffs(max_evaluations=10_000)


def grid(solved: dict[tuple[str, int], str]) -> list[Run]:
    """Runs of algorithm and seed on a1 a2 b1 b2, of which those in the text are solved."""
    return [
        run(name, "ff", instance[0], instance, seed, solved=instance in text.split())
        for (name, seed), text in solved.items()
        for instance in ("a1", "a2", "b1", "b2")
    ]


SMALL = grid(
    {
        ("gbfs", 0): "a1 a2",
        ("guct-normal2", 1): "a1 a2 b1",
        ("guct-normal2", 2): "a1 a2 b1 b2",
        ("guct(c=0.5)", 1): "a1",
        ("guct(c=0.5)", 2): "b1",
        ("guct", 1): "",
        ("guct", 2): "a1",
    }
)


def rows(table: Table) -> dict[str, list[str]]:
    return {" ".join(cell.shown for cell in row.cells[: table.heads]): shown(table, row.cells) for row in table.rows}


def shown(table: Table, cells: tuple[Cell, ...]) -> list[str]:
    return [cell.shown for cell in cells[table.heads :]]


def test_coverage_in_total() -> None:
    table = coverage_table(results(SMALL), "guct-normal2", LIMITS)
    assert rows(table) == {
        "guct 0.5": ["1.0 ± 0.0"],  # t = (3.5 − 1) / 0.5 with one degree of freedom: p = 0.126
        "guct 1": ["0.5 ± 0.7"],  # t = 3 / √(0.25 + 0.25), two degrees of freedom: p = 0.051
        "guct-normal2 ": ["3.5 ± 0.7"],
        "gbfs ": ["2"],  # t = 1.5 / 0.5, one degree of freedom: p = 0.205
    }
    assert [row.rule for row in table.rows] == [False, False, True, True]
    assert [row.cells[2].strong for row in table.rows] == [False, False, True, False]
    assert not any("paper" in column.name for column in table.columns)


def test_significance() -> None:
    table = significance_table(results(SMALL), "guct-normal2")
    found = rows(table)
    assert found["ff gbfs"] == ["1", "2.0", "", "2", "2", "−1.5", "−3.00", "0.205", "t, against a constant"]
    assert found["ff guct"] == ["2", "0.5", "0.71", "0", "1", "−3.0", "−4.24", "0.051", "Welch's t"]
    assert found["ff guct-normal2"][-1] == "the reference"


def test_one_seed_on_both_sides_is_compared_by_instances() -> None:
    one = results(grid({("gbfs", 0): "a1", ("wastar", 0): "a1 a2 b1 b2"}))
    assert rows(significance_table(one, "gbfs"))["ff wastar"][-3:] == ["3.00", "0.250", "McNemar, exact"]


def test_coverage_by_domain() -> None:
    table = domain_table(results(SMALL), "ff")
    assert [column.group for column in table.columns[2:]] == ["gbfs", "guct", "guct(c=0.5)", "guct-normal2"]
    assert rows(table) == {
        "a": ["2", "2", "0.5 ± 0.7", "0.5 ± 0.7", "2.0 ± 0.0"],
        "b": ["2", "0", "0.0 ± 0.0", "0.5 ± 0.7", "1.5 ± 0.7"],
        "total": ["4", "2", "0.5 ± 0.7", "1.0 ± 0.0", "3.5 ± 0.7"],
    }


def test_missing_runs_are_not_hidden() -> None:
    begun = [*SMALL, run("ttts-normal", "ff", "a", "a1", 1), run("ttts-normal", "ff", "a", "a2", 1, solved=False)]
    lacking = [made for made in begun if (made.key.algorithm, made.key.instance, made.key.seed) != ("guct", "b2", 2)]
    table = coverage_table(results(lacking), "guct-normal2", LIMITS)
    found = rows(table)
    assert found["ttts-normal "] == ["1 of 2†"]
    assert found["guct 1"] == ["0†"]  # the mean of the one seed that is complete
    assert found["guct-normal2 "] == ["3.5 ± 0.7"]
    assert "Runs are missing" in table.notes[-1]
    assert "ff ttts-normal" not in rows(significance_table(results(lacking), "guct-normal2"))
    assert rows(domain_table(results(lacking), "ff"))["a"][-1] == "1"  # of domain a, all was run


def test_the_papers_figures_stand_beside_a_whole_suite() -> None:
    whole = [
        run("guct-normal2", "ff", domain, f"p{number}", seed, solved=number < 20)
        for domain in paper.domains()
        for number in range(paper.sizes()[domain])
        for seed in (1, 2)
    ]
    solved = sum(min(20, size) for size in paper.sizes().values())
    table = coverage_table(results(whole), "guct-normal2", LIMITS)
    assert rows(table)["guct-normal2 "] == [f"{solved}.0 ± 0.0", "581.8", f"{solved - 581.8:+.1f}".replace("-", "−")]
    assert any("772" in note and "773" in note for note in table.notes)
    blocks = results([made for made in whole if made.key.domain in ("blocks", "gripper")])
    assert rows(coverage_table(blocks, "guct-normal2", LIMITS))["guct-normal2 "] == ["40.0 ± 0.0", "49.8", "−9.8"]
    assert rows(domain_table(blocks, "ff"))["blocks"] == ["35", "20.0 ± 0.0", "29.8"]
    part = coverage_table(results([made for made in whole if made.key.instance == "p1"]), "guct-normal2", LIMITS)
    assert rows(part)["guct-normal2 "] == ["23.0 ± 0.0"]


def test_the_figures_are_those_of_the_paper() -> None:
    assert paper.total("guct-normal2", "ff", paper.sizes()) == 581.8
    assert paper.total("guct(c=0.5)", "ff+de+po", paper.sizes()) == 497.4
    assert paper.total("guct*-01(c=0.1)", "ff", paper.sizes()) == 561.8
    assert paper.total("guct(c=0.1)", "ff+po", paper.sizes()) is None  # misprinted in the paper
    assert paper.total("gbfs", "ff", paper.sizes()) == 538
    assert paper.total("gbfs", "ff+po", paper.sizes()) == 539  # of Fast Downward
    assert paper.total("wastar(weight=5)", "hmax", paper.sizes()) == 211
    assert paper.total("softmin-type@old", "hadd", paper.sizes()) == 542.6
    assert paper.total("guct(c=3)", "ff", paper.sizes()) is None
    assert sum(paper.sizes().values()) == 773


@pytest.mark.parametrize("column", ["ff", "hadd", "ff+po"])
@pytest.mark.parametrize("name", ["guct-normal2", "gbfs", "softmin-type"])
def test_the_papers_domains_sum_to_its_totals(name: str, column: str) -> None:
    parts = [paper.of_domain(name, column, domain, size) for domain, size in paper.sizes().items()]
    assert math.fsum(part or 0 for part in parts) == pytest.approx(paper.total(name, column, paper.sizes()))


@pytest.mark.parametrize(
    ("seconds", "score"), [(0.0, 1), (1.0, 1), (math.sqrt(300), 0.5), (299.999, 0), (300.0, 0), (900.0, 0)]
)
def test_agile_score(seconds: float, score: float) -> None:
    assert agile(run(total_seconds=seconds)) == pytest.approx(score, abs=1e-5)


def test_agile_score_of_other_limits() -> None:
    assert agile(run(total_seconds=10.0), 100.0) == pytest.approx(0.5)
    assert agile(run(solved=False)) == 0


def test_ipc18_has_the_agile_score_and_the_papers_figures() -> None:
    runs = [
        run("gbfs", "ff", "snake-sat18-strips", f"p{number:02}", 0, solved=number < 4, total_seconds=math.sqrt(300))
        for number in range(20)
    ]
    table = ipc18_table(results(runs), "ff", None)
    assert [column.name for column in table.columns[2:]] == ["ours", "paper", "agile"]
    assert rows(table)["snake-sat18-strips"] == ["20", "4", "5.0", "2.00"]
    assert rows(table)["total"] == ["20", "4", "5.0", "2.00"]


def test_effort_is_compared_where_all_have_a_plan() -> None:
    runs = [
        run("gbfs", "ff", "a", "a1", 0, evaluations=10),
        run("gbfs", "ff", "a", "a2", 0, evaluations=1000),
        run("guct", "ff", "a", "a1", 1, evaluations=4),
        run("guct", "ff", "a", "a1", 2, evaluations=9),
        run("guct", "ff", "a", "a2", 1, evaluations=1),
        run("guct", "ff", "a", "a2", 2, solved=False),
    ]
    table = effort_table(results(runs), "ff")
    assert table is not None
    assert rows(table)["gbfs"][0] == "10.0"
    assert rows(table)["guct"][0] == "6.0"
    assert "1 instances" in table.notes[0]
    assert effort_table(results([run(solved=False)]), "ff") is None


def test_failures_come_with_their_output() -> None:
    output = "\n".join(f"line {number}" for number in range(20))
    crashed = run(solved=False, status="crash", exit="signal", output=output)
    table = failures_table(results([run(instance="p02.pddl"), crashed]))
    assert table is not None
    [row] = table.rows
    assert [cell.shown for cell in row.cells[5:7]] == ["crash", "signal"]
    assert row.cells[7].shown == "line 19"
    assert row.cells[8].shown.splitlines()[-1] == "line 19"
    assert len(row.cells[8].shown.splitlines()) == 8
    assert failures_table(results([run()])) is None


def test_endings() -> None:
    table = endings_table(results(SMALL))
    assert [column.name for column in table.columns] == ["column", "algorithm", "runs", "solved", "evaluation-limit"]
    assert rows(table)["ff guct-normal2"] == ["8", "7", "1"]


def test_what_is_deterministic_is_judged_by_what_was_run() -> None:
    """An algorithm of any name, whose one seed meets the several of the reference."""
    ours = [
        run("mine", "ff", "a", f"a{i}", 0, solved=i < 9, search="gbfs(heuristic=ff, ties='fifo')") for i in range(9)
    ]
    theirs = [run("guct-normal2", "ff", "a", f"a{i}", seed, solved=i < seed) for i in range(9) for seed in (3, 4, 5)]
    found = results([*ours, *theirs])
    assert found.deterministic(Configuration("mine", "ff"))
    assert not found.deterministic(Configuration("guct-normal2", "ff"))
    assert "needs two seeds" not in rows(significance_table(found, "guct-normal2"))["ff mine"]


def test_names_are_taken_apart() -> None:
    assert algorithm("guct*-01(c=0.5, graft=never)@0.2.0") == ("guct*-01", 0.5, "graft=never", "0.2.0")
    assert algorithm("guct").c == 1
    assert algorithm("guct-normal2").c is None


def test_order_is_that_of_the_experiment() -> None:
    found = results(SMALL, ["guct-normal2", "no such", "gbfs"], ["ff"])
    assert found.algorithms == ("guct-normal2", "gbfs", "guct", "guct(c=0.5)")
    assert found.in_column("ff")[0] == Configuration("guct-normal2", "ff")


def test_a_proof_that_there_is_no_plan_counts_as_an_answer() -> None:
    proof = {"status": "unsolvable", "solved": False}
    runs = [run(instance="p1"), run(instance="p2", **proof), run(instance="p3", solved=False)]
    found = results(runs)
    assert found.coverage(Configuration("gbfs", "ff")).mean == 2
    (later,) = within([run(**proof, evaluations=500)], Cutoffs(max_evaluations=400))
    assert not later.solved


@pytest.mark.parametrize(
    ("output", "complaint"),
    [
        ("", ""),
        ("some words\nended by signal 11 (SIGSEGV)", "ended by signal 11 (SIGSEGV)"),
        ('error: d.pddl:3:7: unknown predicate "on"\n  (on ?x)\n   ^^', 'd.pddl:3:7: unknown predicate "on"'),
        (
            'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g(x)\n    ^^^^\n'
            "ValueError: first line\n  second line\n  ^^^^^^",
            "ValueError: first line",
        ),
        (
            'Traceback (most recent call last):\n  File "a.py"\nKeyError: 1\n\nDuring handling …\n\n'
            'Traceback (most recent call last):\n  File "b.py"\nOSError: the last',
            "OSError: the last",
        ),
    ],
)
def test_a_failure_is_told_by_its_message(output: str, complaint: str) -> None:
    failed = run(status="error", exit="error", output=output)
    assert failed.complaint == complaint
    table = failures_table(results([failed]))
    assert table is not None
    assert complaint in [cell.shown for cell in table.rows[0].cells]
