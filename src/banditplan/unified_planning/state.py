"""States of the planner, as Unified Planning sees them."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import unified_planning as up
from unified_planning.exceptions import UPUsageError
from unified_planning.model import FNode

if TYPE_CHECKING:
    from banditplan import _core
    from banditplan.unified_planning.translation import Translation


class View:
    """How to read the value of a fluent from a state of a task that was grounded with everything that changes."""

    def __init__(self, translation: Translation, task: _core.Task) -> None:
        self._translation = translation
        manager = translation.problem.environment.expression_manager
        self._constants = (manager.FALSE(), manager.TRUE())
        self._known: dict[FNode, tuple[int, int] | FNode] = {}
        self._places: dict[str, tuple[int, int]] = {}
        facts = iter(task.facts)
        for variable, size in enumerate(task.domain_sizes):
            self._places.update((fact, (variable, value)) for value, fact in enumerate(islice(facts, size)))

    def value(self, atom: FNode, values: list[int]) -> FNode:
        known = self._known.get(atom)
        if known is None:
            place = self._places.get(self._translation.fact(atom) or "")
            known = self._known[atom] = self._constant(atom) if place is None else place
        return self._constants[values[known[0]] == known[1]] if isinstance(known, tuple) else known

    def _constant(self, atom: FNode) -> FNode:
        value = self._translation.initial_value(atom)
        if value is None:
            raise UPUsageError(f"the initial state gives no value to {atom}")
        return value


class State(up.model.State):
    """A state of the planner as Unified Planning sees it; hashable, comparable."""

    def __init__(self, view: View, ground: _core.State) -> None:
        self.ground = ground
        self._view = view
        self._values = ground.values

    def get_value(self, value: FNode) -> FNode:
        return self._view.value(value, self._values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.ground == other.ground

    def __hash__(self) -> int:
        return hash(self.ground)

    def __repr__(self) -> str:
        return repr(self.ground)
