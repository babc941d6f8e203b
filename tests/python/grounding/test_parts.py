"""A ground task as plain lists, and back."""

from __future__ import annotations

import pytest
from small_tasks import KINDS, small_task

from banditplan import _core


@pytest.mark.sweep
@pytest.mark.parametrize("kind", KINDS)
def test_a_task_comes_back_from_its_parts(kind: str) -> None:
    made = 0
    for seed in range(30):
        task = small_task(kind, seed, 6)
        parts = _core.task_parts(task)
        facts = parts.pop("facts")
        if not task.solvable or any(negated for _, _, negated in facts):
            continue
        again = _core.make_task(predicates=["p"] * len(facts), **parts)
        assert _core.task_parts(again) == {**parts, "facts": facts}
        assert _core.fact_landmarks(again) == _core.fact_landmarks(task)
        made += 1
    assert made > 5


def test_a_task_needs_a_predicate_per_fact() -> None:
    with pytest.raises(ValueError, match="one predicate per fact"):
        _core.make_task([(2, -1)], ["p"], [0], [1], [], [], [], [])
