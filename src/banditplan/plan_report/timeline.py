"""A plan, step by step: what each step reads and changes, and which step each of these facts comes from."""

from __future__ import annotations

from banditplan.frozen import frozen
from banditplan.pddl.syntax import And
from banditplan.plan_report.reads import Literal, Reader, fluents
from banditplan.validation.explain import show
from banditplan.validation.replay import Replay, StepError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from banditplan.pddl.syntax import Formula, Parsed
    from banditplan.plan import Step
    from banditplan.plan_report.reads import Read
    from banditplan.validation.conditions import Environment
    from banditplan.validation.replay import CompiledAction


@frozen
class Need:
    """Something that a step or a goal rests on, and the steps that it comes from: none if it holds from the start.

    `of_effect`: not the precondition rests on it, but whether a conditional effect takes place.
    """

    read: Read
    sources: tuple[int, ...]
    of_effect: bool = False


@frozen
class Taken:
    """A step that was taken: what it rests on; what it makes true and false, and what it would, too, if that were not
    so already; its cost."""

    step: Step
    needs: tuple[Need, ...]
    gives: tuple[Literal, ...]
    repeats: tuple[Literal, ...]
    cost: int


@frozen
class Goal:
    """A part of the goal: when it changes (0 is the start, where it may hold already), what it rests on in the end."""

    text: str
    changes: tuple[int, ...]
    holds: bool
    needs: tuple[Need, ...]


@frozen
class Timeline:
    """What became of a plan. If a step cannot be taken, those before it are `taken`, and `failure` says why not."""

    taken: tuple[Taken, ...]
    goals: tuple[Goal, ...]
    failure: StepError | None
    last_change: dict[tuple[str, tuple[str, ...]], int]


def timeline(parsed: Parsed, steps: Sequence[Step]) -> Timeline:
    """Take the steps as far as they go."""
    watch = _Watch(parsed)
    failure: StepError | None = None
    for step in steps:
        try:
            watch.follow(step)
        except StepError as error:
            failure = error
            break
    return Timeline(tuple(watch.taken), tuple(watch.goals()), failure, watch.last_change)


class _Watch(Replay):
    """A replay that looks at each step before it is taken."""

    def __init__(self, parsed: Parsed) -> None:
        super().__init__(parsed)
        changing = {predicate for action in parsed.domain.actions for predicate in fluents(action.effect)}
        rules = parsed.domain.derived
        self._reader = Reader(self._objects, self._compiler, rules, changing, self._facts)
        self._goals = [(part, self._compiler.condition(part)) for part in _conjuncts(parsed.problem.goal)]
        self._held: list[list[int]] = [[] for _ in self._goals]
        self._held_now = [False for _ in self._goals]
        self._writers: dict[str, list[int]] = {}  # per predicate
        self.taken: list[Taken] = []
        self.last_change: dict[tuple[str, tuple[str, ...]], int] = {}
        self._watch_goals()

    def follow(self, step: Step) -> None:
        self._seen: Taken | None = None
        self._step = step
        cost = self.apply(step)
        assert self._seen is not None
        seen: Taken = self._seen
        number = len(self.taken)
        self.taken.append(Taken(step, seen.needs, seen.gives, seen.repeats, cost))
        for literal in seen.gives:
            self.last_change[literal.fact] = number
        for predicate in {literal.predicate for literal in (*seen.gives, *seen.repeats)}:
            self._writers.setdefault(predicate, []).append(number)
        self._reader.new_state()
        self._watch_goals()

    def _take(self, action: CompiledAction, env: Environment) -> None:
        needs = [self._need(read) for read in self._reader.condition(action.schema.precondition, env)]
        known = {need.read for need in needs}
        effects = self._reader.effect(action.schema.effect, env)
        needs += [self._need(read, of_effect=True) for read in effects if read not in known]
        action.effect(dict(env), self._facts)
        added, deleted = dict.fromkeys(self._changes.added), dict.fromkeys(self._changes.deleted)
        self._changes.added.clear()
        self._changes.deleted.clear()
        written = [Literal(*fact, False) for fact in deleted if fact not in added]
        written += [Literal(*fact, True) for fact in added]
        gives = [each for each in written if (each.row in self._facts.table(each.predicate)) != each.positive]
        repeats = [each for each in written if each not in gives]
        self._seen = Taken(self._step, tuple(needs), tuple(gives), tuple(repeats), 0)
        super()._take(action, env)

    def _need(self, read: Read, of_effect: bool = False) -> Need:
        if isinstance(read, str):
            return Need(read, tuple(self._writers.get(read, ())), of_effect)
        source = self.last_change.get(read.fact)
        return Need(read, () if source is None else (source,), of_effect)

    def _watch_goals(self) -> None:
        for i, (_, test) in enumerate(self._goals):
            if test({}, self._facts) != self._held_now[i]:
                self._held_now[i] = not self._held_now[i]
                self._held[i].append(len(self.taken))

    def goals(self) -> Iterator[Goal]:
        for (part, _), changes, holds in zip(self._goals, self._held, self._held_now, strict=True):
            needs = [self._need(read) for read in self._reader.condition(part, {})] if holds else []
            yield Goal(show(part, {}), tuple(changes), holds, tuple(needs))


def _conjuncts(formula: Formula) -> Iterator[Formula]:
    if isinstance(formula, And):
        for part in formula.parts:
            yield from _conjuncts(part)
    else:
        yield formula
