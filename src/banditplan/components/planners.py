"""Searches that people know by the names of planners, as sentences; docs/search.md says what differs from those."""

from __future__ import annotations


def _lists(heuristics: tuple[str, ...], make: str) -> str:
    """A list for each heuristic, and one for preferred children."""
    lists = [make.format(heuristic) for heuristic in heuristics]
    return ", ".join(f"{each}, preferred({each})" for each in lists)


def _lama(*others: str) -> str:
    """The queues of `lama_first`, and others beside them."""
    lists = ", ".join((_lists(("ff", "landmarks"), "greedy({})"), *others))
    return f"best_first(alternation([{lists}], boost=1000), lazy=True)"


def _weighted(weight: int) -> str:
    """One of LAMA's searches after the first plan: weighted A* on real costs."""
    lists = _lists(("ff(cost='plan')", "landmarks"), f"weighted({{}}, weight={weight})")
    return f"best_first(alternation([{lists}], boost=1000), lazy=True, reopen='cheaper', cost='plan')"


def _width(novelty: str) -> str:
    """Best-first width search by goal count and what was reached of relaxed plans."""
    return f"best_first(greedy({novelty}, goalcount))"


def _nebula(first: str, second: str) -> str:
    """Two lists by hFF and landmarks, each with one for preferred children, all of them eager."""
    return (
        f"best_first(alternation([{first}, preferred(greedy(ff)), {second}, preferred(greedy(landmarks))], boost=10))"
    )


_NEW = "novelty(landmarks, ff)"
_BILEVEL = "bandit=normal2, bilevel=True, collapse='depth'"

_F4 = "best_first(greedy(novelty(landmarks, ff), landmarks, ff))"
_PARTITION = "goalcount, relaxed_plan_count"

PLANNERS: dict[str, str] = {
    "type-lama": _lama("type(ff)"),
    "softmin-type-lama": _lama("softmin(ff)", "softmin(landmarks)"),
    "nolan": _lama("greedy(novelty(landmarks), landmarks)"),
    "lama": f"series([{', '.join(['lama_first', *map(_weighted, (5, 3, 2, 1))])}])",
    "nebula": _nebula(f"tree({_NEW}, ff, {_BILEVEL})", f"tree({_NEW}, landmarks, {_BILEVEL})"),
    "lama-novelty": _nebula(f"greedy({_NEW}, ff)", f"greedy({_NEW}, landmarks)"),
    "lama-tree": _nebula(f"tree(ff, {_BILEVEL})", f"tree(landmarks, {_BILEVEL})"),
    "tree-novelty": f"best_first(tree({_NEW}, ff, {_BILEVEL}))",
    "bfws-f4": _F4,
    "bfws-f5": _width(f"novelty({_PARTITION})"),
    "bfws-dual": f"series([k_bfws, {_F4}])",
    "apx-bfws": "series(["
    + ", ".join(
        [
            "k_bfws",
            "k_bfws(2)",
            _width(f"approximate_novelty({_PARTITION}, width=3, prunes=True)"),
            _width(f"approximate_novelty({_PARTITION}, width=4)"),
        ]
    )
    + "])",
}
