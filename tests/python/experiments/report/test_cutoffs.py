"""Cutoffs that are applied to runs that had more."""

from __future__ import annotations

import pytest
from synthetic_runs import run

from banditplan.experiments.report.cutoffs import Cutoffs, effective, too_short, within


@pytest.mark.parametrize(
    ("limits", "status"),
    [
        (Cutoffs(), "solved"),
        (Cutoffs(max_evaluations=100), "solved"),
        (Cutoffs(max_evaluations=99), "evaluation-limit"),
        (Cutoffs(max_expansions=40), "solved"),
        (Cutoffs(max_expansions=39), "expansion-limit"),
        (Cutoffs(time_limit=0.6), "solved"),
        (Cutoffs(time_limit=0.55), "time-limit"),
    ],
)
def test_a_plan_found_later_does_not_count(limits: Cutoffs, status: str) -> None:
    [cut] = within([run()], limits)
    assert cut.status == status
    assert (cut.plan_length is None) == (status != "solved")


def test_deferred_evaluation_is_limited_by_inserted_states() -> None:
    deferred = run(evaluations=100, inserted=5_000)
    assert within([deferred], Cutoffs(max_evaluations=5_000))[0].solved
    assert not within([deferred], Cutoffs(max_evaluations=4_999))[0].solved


def test_a_run_that_was_not_given_enough_is_counted() -> None:
    short = run(solved=False, max_evaluations=5_000)
    assert too_short([short, run()], Cutoffs(max_evaluations=10_000)) == 1
    assert too_short([short, run()], Cutoffs(max_evaluations=5_000)) == 0


def test_the_effective_limit_is_the_smaller_one() -> None:
    assert effective([run()], Cutoffs(max_evaluations=500)) == Cutoffs(500, None, 300.0)
    assert effective([run()], Cutoffs(max_evaluations=50_000, max_expansions=4_000)) == Cutoffs(10_000, 4_000, 300.0)
    assert effective([run(), run(max_evaluations=7)], Cutoffs()).max_evaluations is None
