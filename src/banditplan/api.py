"""The functions that most users need: `solve`, `solve_anytime` and `load`."""

from __future__ import annotations

import os

from banditplan._core import Task
from banditplan.pddl.errors import InputError
from banditplan.pipeline import Run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from banditplan._core import Search
    from banditplan.anytime import Plans
    from banditplan.result import Result
    from banditplan.split.split import Mode


def solve(
    domain: str | os.PathLike[str] | Task,
    problem: str | os.PathLike[str] | None = None,
    *,
    search: Search | str | None = None,
    seed: int = 0,
    time_limit: float | str | None = None,
    memory_limit: int | str | None = None,
    max_evaluations: int | None = None,
    max_expansions: int | None = None,
    validate: bool = True,
    shorten: bool = False,
    prune_mutex: bool = True,
    split: Mode = "auto",
    report: Callable[[int, int, int | None], None] | None = None,
    trace: Callable[[str], None] | None = None,
) -> Result:
    """Find a plan for two PDDL files, or for a task from `load`.

    `search` is a component such as `Gbfs(heuristic=Ff())`, or its text. `time_limit` (seconds, or "5m") is one deadline
    over all stages; `memory_limit` (bytes, or "2G") bounds the memory of the whole process. `report(evaluations,
    expansions, best_h)` is called a few times a second; `trace(text)` gets a sampled record of a tree search at its
    end, as lines of JSON. Every plan is validated unless `validate` is False; `shorten` takes redundant steps out of it
    before. `split` tells which actions with many parameters become chains of smaller ones before grounding: those for
    which it pays ("auto"), none ("never") or all that can be ("always"); plans are of whole actions in any case. Bad
    input raises `InputError` (`PddlError` with file, line and column); limits do not raise: see `Result.status`.

    >>> import banditplan as bp
    >>> result = bp.solve(*bp.example("crates"))
    >>> result.status, result.valid
    ('solved', True)
    """
    run = Run(
        search=search,
        seed=seed,
        time_limit=time_limit,
        memory_limit=memory_limit,
        max_evaluations=max_evaluations,
        max_expansions=max_expansions,
        validate=validate,
        shorten=shorten,
        prune_mutex=prune_mutex,
        split=split,
        report=report,
        trace=trace,
    )
    if isinstance(domain, Task):
        if problem is not None:
            raise InputError("solve: a loaded task already has its problem")
        result = run.loaded(domain)
    else:
        result = run.files(*_files(domain, problem))
    if result.status == "interrupted":
        raise KeyboardInterrupt
    return result


def solve_anytime(
    domain: str | os.PathLike[str] | Task,
    problem: str | os.PathLike[str] | None = None,
    *,
    search: Search | str | None = None,
    seed: int = 0,
    time_limit: float | str | None = None,
    memory_limit: int | str | None = None,
    max_evaluations: int | None = None,
    max_expansions: int | None = None,
    validate: bool = True,
    shorten: bool = True,
    prune_mutex: bool = True,
    split: Mode = "auto",
    report: Callable[[int, int, int | None], None] | None = None,
) -> Plans:
    """Find plans, each cheaper than the one before, until a limit or until the last one is proved to be optimal.

    Takes what `solve` takes; `search` must be a tree search. Returns an iterator over results; the search runs while
    the next one is waited for, and the limits hold for all of it. When the iteration has ended, `end` of the iterator
    is the result of the whole.

    >>> import banditplan as bp
    >>> plans = bp.solve_anytime(*bp.example("lights"))
    >>> costs = [result.plan_cost for result in plans]
    >>> costs == sorted(costs, reverse=True), plans.end.optimal
    (True, True)
    """
    from banditplan.anytime import Plans

    run = Run(
        search=search,
        seed=seed,
        time_limit=time_limit,
        memory_limit=memory_limit,
        max_evaluations=max_evaluations,
        max_expansions=max_expansions,
        validate=validate,
        shorten=shorten,
        prune_mutex=prune_mutex,
        split=split,
        report=report,
    )
    if isinstance(domain, Task):
        task = domain
        if problem is not None:
            raise InputError("solve_anytime: a loaded task already has its problem")
        return Plans(run.plans(lambda: run.reload(task)))
    files = _files(domain, problem)
    return Plans(run.plans(lambda: run.load(*files)))


def load(
    domain: str | os.PathLike[str],
    problem: str | os.PathLike[str] | None = None,
    *,
    time_limit: float | str | None = None,
    memory_limit: int | str | None = None,
    prune_mutex: bool = True,
    split: Mode = "never",
) -> Task:
    """Parse and ground a task once, to search it many times or to walk through its states.

    If actions are split, which must be asked for here, states and actions are those of the split task: an action may
    be a step of a longer one.

    Raises `InputError` for bad input and `LimitReached` at a limit.

    >>> import banditplan as bp
    >>> task = bp.load(*bp.example("crates"))
    >>> state = task.initial_state
    >>> action = task.applicable(state)[0]
    >>> task.apply(state, action) == state
    False
    """
    run = Run(time_limit=time_limit, memory_limit=memory_limit, prune_mutex=prune_mutex, split=split)
    return run.load(*_files(domain, problem))


def example(name: str) -> tuple[str, str]:
    """The domain file and the problem file of a bundled example; `banditplan examples` lists them."""
    from banditplan import examples

    return examples.paths(name)


def _files(domain: str | os.PathLike[str], problem: str | os.PathLike[str] | None) -> tuple[str, str]:
    if problem is None:
        from banditplan.domain_file import find_domain

        return find_domain(os.fspath(domain)), os.fspath(domain)
    return os.fspath(domain), os.fspath(problem)
