"""Walks through the states of the ground task of a problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

import unified_planning as up
from unified_planning.exceptions import UPProblemDefinitionError, UPUsageError
from unified_planning.model import FNode

from banditplan.errors import InputError
from banditplan.journal import Journal
from banditplan.pipeline import load
from banditplan.settings import settings
from banditplan.task_input import Input
from banditplan.unified_planning.problem import NAME, UnsupportedFeature
from banditplan.unified_planning.state import State, View
from banditplan.unified_planning.translation import Translation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from banditplan import _core


class Simulation:
    """A problem, ground with everything that changes."""

    def __init__(self, problem: up.model.AbstractProblem, memory_limit: int | str | None) -> None:
        journal = Journal(settings(memory_limit=memory_limit, keep_irrelevant=True, split="never"))
        try:
            self._translation = Translation(problem)
            self._task = load(as_input(problem, self._translation), journal)
        except UnsupportedFeature as feature:
            raise UPUsageError(f"{NAME} does not support {feature}") from None
        except InputError as error:
            raise UPProblemDefinitionError(error.message) from None
        self._view = View(self._translation, self._task)
        self._ground: dict[tuple[str, tuple[str, ...]], list[_core.GroundAction]] = {}
        for action in self._task.actions:
            self._ground.setdefault((action.name, action.arguments), []).append(action)

    @property
    def initial_state(self) -> State:
        return State(self._view, self._task.initial_state)

    def apply(self, state: up.model.State, action: up.model.Action, parameters: tuple[FNode, ...]) -> State | None:
        """The state that follows; None if the action cannot be applied."""
        name = self._translation.actions.get(action)
        if name is None:
            raise UPUsageError(f"the action {action.name} does not belong to the problem")
        # A disjunctive precondition makes several ground actions of the same name, with the same effects.
        for ground in self._ground.get((name, self._translation.terms(parameters, {})), ()):
            try:
                return State(self._view, self._task.apply(_ours(state).ground, ground))
            except ValueError:
                continue
        return None

    def applicable(self, state: up.model.State) -> Iterator[tuple[up.model.Action, tuple[FNode, ...]]]:
        named = {(each.name, each.arguments): each for each in self._task.applicable(_ours(state).ground)}
        return map(self._translation.instance, named.values())

    def is_goal(self, state: up.model.State) -> bool:
        return self._task.is_goal(_ours(state).ground)


def as_input(problem: up.model.AbstractProblem, translation: Translation) -> Input:
    name = problem.name or NAME
    return Input(name, name, lambda check: translation.parsed())


def _ours(state: up.model.State) -> State:
    if not isinstance(state, State):
        raise UPUsageError(f"{NAME} simulates its own states, as from get_initial_state, not a {type(state).__name__}")
    return state
