"""Whatever the task, all stages behind the parser give a validated plan, a proof, a limit, or an InputError."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from random_tasks import FEATURES, random_task

import banditplan as bp
from banditplan import examples

SEARCHES = ("guct-normal2(preferred=True)", "gbfs(hadd)", "astar(hmax)", "bfs")
ENDS = ("solved", "unsolvable", "exhausted", "evaluation-limit", "time-limit")


def survives(domain: str, problem: str, search: str) -> str:
    """How a short search for the task ends."""
    try:
        result = bp.solve(domain, problem, search=search, max_evaluations=200, time_limit=20, shorten=True)
    except bp.InputError:
        return "input"
    assert result.status in ENDS
    if result.plan is not None:
        assert result.valid
        assert bp.validate(domain, problem, result.plan).cost == result.plan_cost
    return result.status


def mutated(text: str, choice: random.Random) -> str:
    """The text with names, numbers and whole groups of tokens exchanged, so that it often still is a task."""
    tokens = re.sub(r";.*", "", text).replace("(", " ( ").replace(")", " ) ").split()
    words = [index for index, token in enumerate(tokens) if token not in "()" and token[0] != ":"]
    for _ in range(choice.randint(1, 3)):
        here, there = choice.sample(words, 2)
        if choice.random() < 0.5:
            tokens[here] = tokens[there]
        else:
            tokens[here], tokens[there] = tokens[there], tokens[here]
    return " ".join(tokens)


@pytest.mark.sweep
@pytest.mark.parametrize("search", SEARCHES)
def test_mutated_examples(search: str) -> None:
    choice = random.Random(search)
    ends = set()
    for name in examples.names():
        domain, problem = (Path(path).read_text(encoding="utf-8") for path in bp.example(name))
        for _ in range(8):
            ends.add(survives(mutated(domain, choice), problem, search))
            ends.add(survives(domain, mutated(problem, choice), search))
    assert {"input", "solved"} < ends


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("kind", FEATURES)
def test_random_tasks_and_their_mutations(kind: str) -> None:
    choice = random.Random(kind)
    ends = set()
    for seed in range(60):
        task = random_task(kind, 10_000 + seed)
        search = choice.choice(SEARCHES)
        ends.add(survives(task.domain, task.problem, search))
        survives(mutated(task.domain, choice), task.problem, search)
        survives(task.domain, mutated(task.problem, choice), search)
    assert "solved" in ends
