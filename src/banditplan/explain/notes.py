"""What a report cannot show because the trace does not have it, in words."""

from __future__ import annotations

from collections.abc import Iterator

from banditplan.explain.bandit import bandit
from banditplan.explain.reading import Trace


def notes(trace: Trace) -> list[str]:
    """Sentences about what was left out, the weightiest first."""
    parts = (_unsolvable, _earlier, _tree, _states, _rounds, _choices, _never)
    return [note for part in parts for note in part(trace)]


def _unsolvable(trace: Trace) -> Iterator[str]:
    if trace.end["status"] == "unsolvable" and not trace.nodes:
        yield "It was proved that there is no plan before a state was looked at; there is no tree to show."


def _earlier(trace: Trace) -> Iterator[str]:
    number, earlier = trace.end["search"], trace.end["earlier"]
    if number > 1:
        yield (
            f"The search is a series, and this is its search number {number:,}: those before it took {earlier:,} of "
            "the evaluations, and are not shown."
        )


def _states(trace: Trace) -> Iterator[str]:
    if trace.states is not None and len(trace.states["nodes"]) + 1 < len(trace.nodes):
        yield f"Facts are known of {len(trace.states['nodes']) + 1:,} of the nodes."
    if trace.landmarks is not None:
        yield (
            "Landmarks are past or future along the one way on which a node is shown; a state that was reached on "
            "several ways may have counted more of them as future."
        )
    told = trace.end["plan_length"]
    if told is not None and told != len(trace.end["plan"]):
        yield (
            f"The plan is shown as the search found it, with {len(trace.end['plan']):,} steps; what the command prints "
            f"was shortened after that, to {told:,} steps."
        )


def _tree(trace: Trace) -> Iterator[str]:
    if not trace.nodes:
        if trace.end["status"] != "unsolvable":
            yield "The trace has no nodes: the search ended before its tree was written, for instance out of memory."
        return
    nodes = trace.steps[-1]["nodes"] if trace.steps else len(trace.nodes)
    if nodes > len(trace.nodes):
        yield (
            f"Of about {nodes:,} nodes of the tree, {len(trace.nodes):,} are shown: those on the plan's way, then "
            "those with the most leaves under them. What was left out is counted at its parent."
        )


def _rounds(trace: Trace) -> Iterator[str]:
    every = _stride([step["round"] for step in trace.steps])
    if every > 1:
        yield f"Curves are drawn from one round in {every:,}; a round selects a leaf and expands it."
    every = _stride([path["round"] for path in trace.paths])
    if every > 1 and any(path["choices"] for path in trace.paths):
        yield f"Choices are known of one round in {every:,}."


def _stride(rounds: list[int]) -> int:
    return rounds[1] - rounds[0] if len(rounds) > 1 else 1


def _choices(trace: Trace) -> Iterator[str]:
    cut = sum(path["decisions"] > len(path["choices"]) for path in trace.paths)
    if cut:
        yield f"Of long ways down the tree ({cut:,} sampled), the trace has the first 8 choices and the last 4."
    wide = sum(choice["children"] > len(choice["arms"]) for path in trace.paths for choice in path["choices"])
    if wide:
        yield f"Of choices among many arms ({wide:,} sampled), the trace has the chosen arm and the best of the others."


def _never(trace: Trace) -> Iterator[str]:
    if not bandit(trace.header["search"])["name"]:
        yield (
            "The search has no tree of its own: a state is shown under the one from which it is reached in the end. "
            "n is the number of leaves under a node: states that were not expanded, or led nowhere."
        )
        return
    yield (
        "A trace has no visit counts: n is the number of leaves under a node, which is what the bandits take for the "
        "number of pulls. It has no scores of the final tree either: those shown are of the last sampled choice."
    )
