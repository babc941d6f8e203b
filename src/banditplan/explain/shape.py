"""The keys that a report needs of every kind of line, with what their values may be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Check = Callable[[Any], bool]
Shape = dict[str, Check]

MOST = 2**63


def _whole(value: Any) -> bool:
    return type(value) is int and -1 <= value < MOST


def _number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < MOST


def _or_null(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _flag(value: Any) -> bool:
    return type(value) is bool


def _text(value: Any) -> bool:
    return type(value) is str


def _list(value: Any) -> bool:
    return type(value) is list


def _wholes(value: Any) -> bool:
    return _list(value) and all(map(_whole, value))


def _lines(value: Any) -> bool:
    return _list(value) and all(map(_text, value))


def _texts(value: Any) -> bool:
    return type(value) is dict and all(map(_text, value.values()))


def _lists(many: int) -> Check:
    """For each number of a node, so many lists of numbers."""

    def check(value: Any) -> bool:
        return _list(value) and len(value) == many and all(map(_wholes, value))

    return lambda value: type(value) is dict and all(map(str.isdecimal, value)) and all(map(check, value.values()))


def _pair(value: Any) -> bool:
    return _list(value) and len(value) == 2 and all(map(_wholes, value))


def _landmarks(value: Any) -> bool:
    return _list(value) and all(type(each) is dict and _strings(each.get("facts")) for each in value)


def _strings(value: Any) -> bool:
    return _list(value) and all(map(_text, value))


def _shape(check: Check, *keys: str) -> Shape:
    return dict.fromkeys(keys, check)


DATA = {
    **_shape(_whole, "action", "h", "count", "minimum", "maximum", "children"),
    **_shape(_number, "mean", "variance"),
    **_shape(_flag, "locked", "preferred", "followed"),
    "open_minimum": _or_null(_whole),
}
ARM = {"node": _whole, **DATA, **_shape(_or_null(_number), "estimate", "score")}
CHOICE = {**_shape(_whole, "node", "g", "total", "children", "offered", "chosen"), "arms": _list}
SHAPES: dict[str, Shape] = {
    "header": {
        **_shape(_text, "version", "search", "algorithm", "domain", "problem"),
        "seed": _whole,
        "reasons": _lines,
        "initial_h": _or_null(_whole),
    },
    "step": {
        **_shape(_whole, "round", "expansions", "evaluations", "inserted", "nodes", "leaves", "locked", "dead_ends"),
        **_shape(_whole, "duplicates", "plateaus", "leaf", "depth", "h"),
        "best_h": _or_null(_whole),
        "leaf_locked": _flag,
    },
    "path": {**_shape(_whole, "round", "leaf", "depth", "decisions"), "choices": _list},
    "node": {**_shape(_whole, "node", "parent", "g", "state"), **DATA},
    "actions": {"names": _texts},
    "states": {"names": _texts, "initial": _wholes, "nodes": _lists(2)},
    "landmarks": {"landmarks": _landmarks, "initial": _pair, "nodes": _lists(3)},
    "end": {
        "status": _text,
        **_shape(_wholes, "plan", "nodes"),
        **_shape(_whole, "cost", "evaluations", "expansions", "generated", "inserted", "dead_ends"),
        **_shape(_whole, "search", "earlier"),
        **_shape(_or_null(_whole), "best_h", "plan_length", "plan_cost"),
    },
}
