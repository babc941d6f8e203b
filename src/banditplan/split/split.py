"""The table of contents of splitting (Areces, Bustos, Dominguez and Hoffmann, "Optimizing Planning Domains by Automatic
Action Schema Splitting", ICAPS 2014): wide schemas → chains of narrow ones, and plans with chains → plans without.
"""

from __future__ import annotations

from banditplan.frozen import frozen
from banditplan.plan import Step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal, TypeAlias

    from banditplan._core import GroundAction
    from banditplan.normalize.task import Normalized, Schema
    from banditplan.result import SplitSchema
    from banditplan.split.chain import Chain

    Mode: TypeAlias = Literal["auto", "never", "always"]

MODES = ("auto", "never", "always")

# A task is left alone unless a schema has more instances than this.
WIDE = 10_000_000


@frozen
class Split:
    """A task in which the chains stand for wide actions; without chains it is the task as it was."""

    task: Normalized
    chains: tuple[Chain, ...]


def split(task: Normalized, mode: Mode) -> Split:
    """Split what is worth it ("auto"), or whatever falls into parts, and as finely as possible ("always")."""
    if mode == "always":
        from banditplan.split.chains import all_chains

        return all_chains(task)
    suspects = [number for number, schema in enumerate(task.schemas) if _combinations(task, schema) > WIDE]
    if mode == "never" or not suspects:
        return Split(task, ())
    from banditplan.split.chains import worthwhile_chains

    return worthwhile_chains(task, suspects)


def part_counts(chains: tuple[Chain, ...]) -> list[SplitSchema]:
    """Into how many parts each action was split, as a record says it."""
    return [{"action": chain.name, "parts": len(chain.steps)} for chain in chains]


def whole_actions(chains: tuple[Chain, ...], actions: Iterable[GroundAction]) -> list[Step]:
    """A plan of the split task in terms of the task as it was: the last step of a chain tells the action."""
    step_of = {step.name: (chain, step) for chain in chains for step in chain.steps}
    whole: list[Step] = []
    values: dict[str, str] = {}
    for action in actions:
        if action.name not in step_of:
            whole.append(Step(action.name, action.arguments))
            continue
        chain, step = step_of[action.name]
        for typed, value in zip(step.parameters, action.arguments, strict=True):
            values[typed.name] = value
        if step is chain.steps[-1]:
            whole.append(Step(chain.name, tuple([values[name] for name in chain.visible])))
    return whole


def _combinations(task: Normalized, schema: Schema) -> int:
    """The number of instances as far as types tell."""
    combinations = 1
    for typed in schema.parameters:
        combinations *= len(task.types.members(typed.types))
    return combinations
