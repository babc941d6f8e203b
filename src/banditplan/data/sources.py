"""Where states come from: random walks, searches, plans, solutions of many states, experiments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from banditplan import _core
from banditplan.data.dataset import NONE, Dataset, concatenated
from banditplan.data.extra import numpy
from banditplan.errors import InputError
from banditplan.replanning import read_steps
from banditplan.settings import read_search

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from banditplan._core import Heuristic, Search, State, States, Task
    from banditplan.experiments.runs import Run
    from banditplan.replanning import Steps

    Heuristics = Sequence["Heuristic | str"]


def from_walks(task: Task, *, walks: int, steps: int, seed: int = 0, heuristics: Heuristics = ()) -> Dataset:
    """The states of random walks from the initial state, with `action` and `parent`."""
    np = numpy()
    found = task.random_walks(walks, steps, seed)
    columns = {"action": np.array(found.actions), "parent": np.array(found.parents)}
    return _dataset(task, found.states, columns, heuristics)


def from_search(
    task: Task,
    search: Search | str | None = None,
    *,
    seed: int = 0,
    max_expansions: int = 10_000,
    heuristics: Heuristics = (),
) -> Dataset:
    """The states that a search expands, in the `order` of their expansion."""
    record = _core.expand(read_search(search), task, seed=seed, max_expansions=max_expansions)
    states = task.states(record.expanded)
    return _dataset(task, states, {"order": numpy().arange(len(states), dtype="int32")}, heuristics)


def from_plan(task: Task, plan: Steps, *, heuristics: Heuristics = ()) -> Dataset:
    """The states on the way of a plan of the task, with `steps_to_go` and `cost_to_go`; raises InputError."""
    np = numpy()
    steps = read_steps(plan)
    ids = _core.action_ids(task, [[step.name, *step.arguments] for step in steps], task.initial_state)
    states, costs = [task.initial_state], []
    for number, (step, action) in enumerate(zip(steps, ids, strict=True), 1):
        try:
            ground = task.action(action) if action >= 0 else None
            if ground is None:
                raise ValueError(f"{step} is no action of the task")
            states.append(task.apply(states[-1], ground))
        except ValueError as error:
            raise InputError(f"step {number}: {error}") from None
        costs.append(ground.cost)
    columns = {
        "action": np.array([NONE, *ids], dtype=np.int32),
        "parent": np.arange(-1, len(ids), dtype=np.int32),
        "steps_to_go": np.arange(len(ids), -1, -1, dtype=np.int32),
        "cost_to_go": np.concatenate([np.cumsum(costs[::-1], dtype=np.int64)[::-1], [0]]).astype(np.int64),
    }
    return _dataset(task, task.states(states), columns, heuristics)


def from_solutions(
    task: Task,
    starts: Sequence[State] | States,
    search: Search | str | None = None,
    *,
    heuristics: Heuristics = (),
    **limits: Any,
) -> Dataset:
    """The states on the ways of plans from many states, each planned for on its own; those without a plan are left out.

    `limits` are those of `solve`, for each of them.
    """
    from banditplan.api import solve

    parts = []
    for number in range(len(starts)):
        there = task.replace(initial=starts[number])
        if not there.same_states(task.initial_state):
            continue
        result = solve(there, search=search, shorten=True, **limits)
        if result.plan is not None:
            found = from_plan(there, result.plan, heuristics=heuristics)
            parts.append(Dataset(task, found.values, found.columns))
    if not parts:
        raise InputError("none of the states has a plan within the limits")
    return concatenated(parts)


def from_experiment(
    folder: str | os.PathLike[str], *, benchmarks: str | None = None, heuristics: Heuristics = ()
) -> Iterator[Dataset]:
    """A dataset per task of an experiment that was solved: its first solved run is repeated, and gives the plan."""
    from banditplan.api import load, solve
    from banditplan.experiments.define.suites import load_suite
    from banditplan.experiments.ledger import Ledger

    with Ledger.open(folder) as ledger:
        runs, suite = ledger.runs(), load_suite(ledger.experiment.suite, benchmarks)
    solved: dict[tuple[str, str], Run] = {}
    for run in runs:
        if run.solved:
            solved.setdefault((run.key.domain, run.key.instance), run)
    for instance in suite.instances:
        found = solved.get((instance.domain, instance.name))
        if found is None:
            continue
        task = load(instance.domain_file, instance.problem_file, prune_mutex=found.prune_mutex)
        result = solve(task, search=found.search, seed=found.key.seed, max_evaluations=found.max_evaluations)
        if result.plan is not None:
            yield from_plan(task, result.plan, heuristics=heuristics)


def _dataset(task: Task, states: States, columns: dict[str, Any], heuristics: Heuristics) -> Dataset:
    values = numpy().array(states.values)
    for heuristic in heuristics:
        columns[f"h:{heuristic}"] = task.h(states, heuristic)
    return Dataset(task, values, columns)
