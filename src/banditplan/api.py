"""The functions that most users need: `solve`, `solve_anytime`, `load`, `ground` and `validate`.

Wherever they take a domain or a problem, that is a path, or a text in PDDL: a text begins with a parenthesis or a
comment, and a `pathlib.Path` is always a path.
"""

from __future__ import annotations

import os

from banditplan._core import Task
from banditplan.errors import InputError, Source
from banditplan.journal import Journal
from banditplan.pipeline import ground_only, improve
from banditplan.pipeline import load as load_task
from banditplan.pipeline import solve as solve_task
from banditplan.settings import Observer, settings
from banditplan.task_input import from_pddl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from banditplan._core import Search
    from banditplan.anytime import Plans
    from banditplan.plan import Step
    from banditplan.result import Result
    from banditplan.split.split import Mode
    from banditplan.task_input import Input
    from banditplan.validation import Verdict

    Pddl: TypeAlias = str | os.PathLike[str]


def solve(
    domain: Pddl | Task,
    problem: Pddl | None = None,
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
    trace: Callable[[str], None] | None = None,
) -> Result:
    """Find a plan for a domain and a problem, or for a task from `load`.

    Each is a path or a text in PDDL; a problem alone finds its domain file beside it. `search` is a component such as
    `Gbfs(heuristic=Ff())`, or its text. `time_limit` (seconds, or "5m") is one deadline over all stages;
    `memory_limit` (bytes, or "2G") bounds the memory of the whole process. `report(evaluations, expansions, best_h)` is
    called a few times a second; `trace(text)` gets a sampled record of the search at its end, as lines of JSON.
    Every plan is made shorter, or cheaper where actions have costs, within about a tenth of the work of the search,
    unless `shorten` is False, and is validated unless `validate` is False.
    `split` tells which actions with many parameters become chains of smaller ones before grounding: those for which it
    pays ("auto"), none ("never") or all that can be ("always"); plans are of whole actions in any case. Bad input
    raises `InputError` (`PddlError` with file, line and column); limits do not raise: see `Result.status`. Ctrl-C
    raises `KeyboardInterrupt`.

    >>> import banditplan as bp
    >>> result = bp.solve(*bp.example("crates"))
    >>> result.status, result.valid
    ('solved', True)
    """
    journal = Journal(
        settings(
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
            observer=Observer(progress=report, trace=trace),
        )
    )
    return _uninterrupted(solve_task(_given(domain, problem), journal))


def solve_anytime(
    domain: Pddl | Task,
    problem: Pddl | None = None,
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

    Takes what `solve` takes. Returns an iterator over results; the search runs while
    the next one is waited for, and the limits hold for all of it. When the iteration has ended, `end` of the iterator
    is the result of the whole.

    >>> import banditplan as bp
    >>> plans = bp.solve_anytime(*bp.example("lights"))
    >>> costs = [result.plan_cost for result in plans]
    >>> costs == sorted(costs, reverse=True), plans.end.optimal
    (True, True)
    """
    from banditplan.anytime import Plans

    journal = Journal(
        settings(
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
            observer=Observer(progress=report),
        )
    )
    return Plans(improve(_given(domain, problem), journal))


def load(
    domain: Pddl,
    problem: Pddl | None = None,
    *,
    time_limit: float | str | None = None,
    memory_limit: int | str | None = None,
    prune_mutex: bool = True,
    split: Mode = "never",
) -> Task:
    """Parse and ground a task once, to search it many times or to walk through its states.

    Raises `InputError` for bad input and `LimitReached` at a limit. If actions are split, which must be asked for here,
    states and actions are those of the split task: an action may be a step of a longer one.

    >>> import banditplan as bp
    >>> task = bp.load(*bp.example("crates"))
    >>> state = task.initial_state
    >>> action = task.applicable(state)[0]
    >>> task.apply(state, action) == state
    False
    """
    journal = Journal(settings(time_limit=time_limit, memory_limit=memory_limit, prune_mutex=prune_mutex, split=split))
    return load_task(_input(domain, problem), journal)


def ground(
    domain: Pddl,
    problem: Pddl | None = None,
    *,
    time_limit: float | str | None = None,
    memory_limit: int | str | None = None,
    prune_mutex: bool = True,
    split: Mode = "auto",
) -> Result:
    """Parse and ground only, to learn the sizes of a task and what grounding it takes; limits do not raise.

    The status is `exhausted`, as nothing is searched, or `unsolvable` if grounding proves that, or a limit.

    >>> import banditplan as bp
    >>> result = bp.ground(*bp.example("crates"))
    >>> result.task["actions"]
    86
    """
    journal = Journal(settings(time_limit=time_limit, memory_limit=memory_limit, prune_mutex=prune_mutex, split=split))
    return _uninterrupted(ground_only(_input(domain, problem), journal))


def validate(domain: Pddl, problem: Pddl, plan: Pddl | Sequence[Step]) -> Verdict:
    """Replay a plan and say whether it is valid, or which step fails, why, and in which state.

    `plan` is the path of a plan file, its text, or steps such as those of `Result.plan`. Raises `InputError` for what
    cannot be read.

    >>> import banditplan as bp
    >>> files = bp.example("crates")
    >>> bp.validate(*files, bp.solve(*files).plan).valid
    True
    >>> verdict = bp.validate(*files, "(up ground first)\\n(up ground first)")
    >>> verdict.valid, verdict.step, str(verdict.action), verdict.conditions
    (False, 2, '(up ground first)', ('(lift-at ground)',))
    """
    from banditplan.files import read_source
    from banditplan.pddl.parser import parse
    from banditplan.plan import read_plan
    from banditplan.validation import validate

    def source(item: Pddl, what: str) -> Source:
        found = _path_or_text(item, what)
        return read_source(found) if isinstance(found, str) else found

    parsed = parse(source(domain, "domain"), source(problem, "problem"))
    if isinstance(plan, (str, os.PathLike)):
        return validate(parsed, read_plan(source(plan, "plan")))
    return validate(parsed, plan)


def example(name: str) -> tuple[str, str]:
    """The domain file and the problem file of a bundled example; `banditplan examples` lists them."""
    from banditplan import examples

    return examples.paths(name)


def _uninterrupted(result: Result) -> Result:
    if result.status == "interrupted":
        raise KeyboardInterrupt
    return result


def _given(domain: Pddl | Task, problem: Pddl | None) -> Input | Task:
    if not isinstance(domain, Task):
        return _input(domain, problem)
    if problem is not None:
        raise InputError("a loaded task already has its problem; give the task alone")
    return domain


def _input(domain: Pddl, problem: Pddl | None) -> Input:
    if problem is not None:
        return from_pddl(_path_or_text(domain, "domain"), _path_or_text(problem, "problem"))
    alone = _path_or_text(domain, "problem")
    if not isinstance(alone, str):
        raise InputError("the text of a problem alone says nothing about its domain; give both")
    from banditplan.domain_file import find_domain

    return from_pddl(find_domain(alone), alone)


def _path_or_text(item: Pddl, what: str) -> str | Source:
    """A path, or a text under the name by which errors shall call it."""
    if not isinstance(item, (str, os.PathLike)):
        raise InputError(f"{what}: expected a path or a text in PDDL, not {item!r}")
    if isinstance(item, str) and item.lstrip("\ufeff \t\r\n").startswith(("(", ";")):
        from banditplan.files import decoded

        return decoded(f"<{what}>", item.encode(errors="replace"))
    if isinstance(item, str) and "\n" in item:
        raise InputError(f"{what}: neither a path nor PDDL: a text begins with a parenthesis or a comment")
    return os.fspath(item)
