"""The functions that most users need: `solve`, `solve_anytime`, `solve_many`, `load`, `replan`, `ground`, `validate`.

Wherever they take a domain or a problem, that is a path, or a text in PDDL: a text begins with a parenthesis or a
comment, and a `pathlib.Path` is always a path. A `Domain` is read once for many problems, and a `Problem` is made
without a text.
"""

from __future__ import annotations

import os

from banditplan.given import input_of, source_of, task_or_input
from banditplan.journal import Journal
from banditplan.pipeline import ground_only, improve
from banditplan.pipeline import load as load_task
from banditplan.pipeline import solve as solve_task
from banditplan.settings import Observer, settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from banditplan._core import Search, State, Task
    from banditplan.anytime import Plans
    from banditplan.checking import Finding
    from banditplan.given import Pddl
    from banditplan.many import ManyPlans
    from banditplan.pddl.syntax import Parsed
    from banditplan.plan import Step
    from banditplan.problem import Domain, Problem
    from banditplan.replanning import Replan, Steps
    from banditplan.result import Result
    from banditplan.split.split import Mode
    from banditplan.states import Facts
    from banditplan.unsolvable import Unsolvable
    from banditplan.validation import Verdict


def solve(
    domain: Pddl | Domain | Task,
    problem: Pddl | Problem | None = None,
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
    return _uninterrupted(solve_task(task_or_input(domain, problem), journal))


def solve_anytime(
    domain: Pddl | Domain | Task,
    problem: Pddl | Problem | None = None,
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
    return Plans(improve(task_or_input(domain, problem), journal))


def solve_many(
    domain: Pddl | Domain | Task,
    problem: Pddl | Problem | None = None,
    *,
    plans: int = 5,
    min_distance: float = 0.0,
    cost_bound: float | None = None,
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
) -> ManyPlans:
    """Find several plans that use different sets of actions, the cheapest first.

    The distance of two plans is the share of their actions that only one of them has (Jaccard); it is more than 0, and
    at least `min_distance`, for any two of the plans. With a `cost_bound`, none costs more than so many times the
    cheapest one. Takes what `solve` takes; redundant steps are taken out, as they would make plans differ in
    nothing that matters. Returns a tuple of results; its `end` is the result of the whole.

    >>> import banditplan as bp
    >>> plans = bp.solve_many(*bp.example("courier"), plans=3)
    >>> len(plans), plans.end.end, len({frozenset(each.plan) for each in plans})
    (3, 'solved', 3)
    """
    from banditplan.many import solve_many, wish

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
    found = solve_many(task_or_input(domain, problem), wish(plans, min_distance, cost_bound), journal)
    _uninterrupted(found.end)
    return found


def load(
    domain: Pddl | Domain,
    problem: Pddl | Problem | None = None,
    *,
    time_limit: float | str | None = None,
    memory_limit: int | str | None = None,
    prune_mutex: bool = True,
    keep_irrelevant: bool = False,
    split: Mode = "never",
) -> Task:
    """Parse and ground a task once, to search it many times or to walk through its states.

    States tell of the facts that matter for the goal, unless `keep_irrelevant` is given: then they are complete, and
    any goal can take the place of this one (`Task.replace`).

    Raises `InputError` for bad input and `LimitReached` at a limit. If actions are split, which must be asked for here,
    states and actions are those of the split task: an action may be a step of a longer one.

    >>> import banditplan as bp
    >>> task = bp.load(*bp.example("crates"))
    >>> state = task.initial_state
    >>> action = task.applicable(state)[0]
    >>> task.apply(state, action) == state
    False
    """
    journal = Journal(
        settings(
            time_limit=time_limit,
            memory_limit=memory_limit,
            prune_mutex=prune_mutex,
            keep_irrelevant=keep_irrelevant,
            replaceable=True,
            split=split,
        )
    )
    return load_task(input_of(domain, problem), journal)


def replan(
    task: Task,
    plan: Steps,
    state: State | Facts | None = None,
    *,
    search: Search | str | None = None,
    seed: int = 0,
    time_limit: float | str | None = None,
    memory_limit: int | str | None = None,
    max_evaluations: int | None = None,
    max_expansions: int | None = None,
    validate: bool = True,
    report: Callable[[int, int, int | None], None] | None = None,
) -> Replan:
    """Find a plan from where the world is now that keeps what still works of an old plan.

    `plan` is one of `task`, as `Result.plan` or as texts; `state` is what is true now, as a state of the task or as
    facts; without it, the plan is mended for the task itself. If a rest of the plan leads from there to the goal, the
    shortest such rest is the new plan. Otherwise a search looks for the goal and for places where the plan can be
    taken up, whatever it meets first. Takes limits as `solve` does.

    >>> import banditplan as bp
    >>> task = bp.load(*bp.example("crates"))
    >>> plan = bp.solve(task).plan
    >>> state = task.apply(task.initial_state, task.applicable(task.initial_state)[0])
    >>> again = bp.replan(task, plan, state)
    >>> again.result.valid, again.plan == (*again.new, *plan[again.kept_from:])
    (True, True)
    """
    from banditplan.replanning import replan

    journal = Journal(
        settings(
            search=search,
            seed=seed,
            time_limit=time_limit,
            memory_limit=memory_limit,
            max_evaluations=max_evaluations,
            max_expansions=max_expansions,
            validate=validate,
            observer=Observer(progress=report),
        )
    )
    found = replan(task, plan, state, journal)
    _uninterrupted(found.result)
    return found


def ground(
    domain: Pddl | Domain,
    problem: Pddl | Problem | None = None,
    *,
    time_limit: float | str | None = None,
    memory_limit: int | str | None = None,
    prune_mutex: bool = True,
    split: Mode = "auto",
) -> Result:
    """Parse and ground only, to learn the sizes of a task and what grounding it takes; limits do not raise.

    The status is `grounded`, or `unsolvable` if grounding proves that, or a limit.

    >>> import banditplan as bp
    >>> result = bp.ground(*bp.example("crates"))
    >>> result.task["actions"]
    86
    """
    journal = Journal(settings(time_limit=time_limit, memory_limit=memory_limit, prune_mutex=prune_mutex, split=split))
    return _uninterrupted(ground_only(input_of(domain, problem), journal))


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
    from banditplan.validation import validate

    return validate(*_parsed_plan(domain, problem, plan))


def plan_page(domain: Pddl, problem: Pddl, plan: Pddl | Sequence[Step]) -> str:
    """A plan as a page for a browser, in one HTML text. Takes what `validate` takes.

    It shows steps with what each needs and gives, which step is there for which, what may run at the same time, goals
    and cost over time; of a plan that is not valid, where it fails, and why.

    >>> import banditplan as bp
    >>> files = bp.example("crates")
    >>> bp.plan_page(*files, bp.solve(*files).plan).startswith("<!doctype html>")
    True
    """
    from banditplan.plan_report import page

    return page(*_parsed_plan(domain, problem, plan))


def _parsed_plan(domain: Pddl, problem: Pddl, plan: Pddl | Sequence[Step]) -> tuple[Parsed, Sequence[Step]]:
    from banditplan.pddl.parser import parse
    from banditplan.plan import read_plan

    parsed = parse(source_of(domain, "domain"), source_of(problem, "problem"))
    return parsed, read_plan(source_of(plan, "plan")) if isinstance(plan, (str, os.PathLike)) else plan


def check(domain: Pddl, problem: Pddl | None = None) -> tuple[Finding, ...]:
    """What is wrong with a domain, or with a domain and a problem: up to ten errors, or else the warnings, if any.

    Each has `severity`, `file`, `line`, `column`, `message` and `suggestion`. Raises `InputError` for files that cannot
    be read.

    >>> import banditplan as bp
    >>> domain = "(define (domain d) (:predicates (lit ?x)) (:action a :precondition (lti ?x) :effect (litt)))"
    >>> for finding in bp.check(domain):
    ...     print(finding)
    <domain>:1:69: unknown predicate "lti"; did you mean "lit"?
    <domain>:1:86: unknown predicate "litt"; did you mean "lit"?
    """
    from banditplan.checking import findings

    return findings(source_of(domain, "domain"), None if problem is None else source_of(problem, "problem"))


def explain_unsolvable(
    domain: Pddl,
    problem: Pddl | None = None,
    *,
    time_limit: float | str | None = None,
    memory_limit: int | str | None = None,
) -> Unsolvable:
    """Which goals cannot be reached even if nothing is ever undone, and why: the chain of facts that nothing achieves.

    `proved` is False where this analysis finds nothing, which does not mean that there is a plan: `solve` may still
    prove that there is none. Raises `InputError` for bad input and `LimitReached` at a limit.

    >>> import banditplan as bp
    >>> print(bp.explain_unsolvable(*bp.example("island")))
    the goal (searched treasure-island) cannot be reached
    (searched treasure-island) comes true only by search, which needs (at treasure-island)
    (at treasure-island) comes true only by cross, which needs (bridge ?a treasure-island)
    the initial state has no (bridge ?a treasure-island), and no action adds one
    """
    from banditplan.unsolvable import of_task

    journal = Journal(settings(time_limit=time_limit, memory_limit=memory_limit))
    return of_task(load_task(input_of(domain, problem), journal), journal.limits)


def example(name: str) -> tuple[str, str]:
    """The domain file and the problem file of a bundled example; `banditplan examples` lists them."""
    from banditplan import examples

    return examples.paths(name)


def _uninterrupted(result: Result) -> Result:
    if result.status == "interrupted":
        raise KeyboardInterrupt
    return result
