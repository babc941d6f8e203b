"""Classes that say that they are immutable are."""

from __future__ import annotations

import copy
import importlib
import pickle
import pkgutil

import pytest

import banditplan as bp
from banditplan.frozen import fields, frozen, values


@frozen
class Pair:
    left: int
    right: str = "r"


def test_a_frozen_object_cannot_be_changed() -> None:
    pair = Pair(1)
    for change in (lambda: setattr(pair, "left", 2), lambda: setattr(pair, "new", 2), lambda: delattr(pair, "left")):
        with pytest.raises(AttributeError, match="immutable"):
            change()
    assert (fields(Pair), values(pair)) == (("left", "right"), (1, "r"))
    assert pair == Pair(1, "r") != Pair(2)
    assert hash(pair) == hash(Pair(1))
    assert repr(pair) == "Pair(left=1, right='r')"


def test_it_can_be_copied_and_pickled() -> None:
    result = bp.solve(*bp.example("crates"))
    for other in (copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert other == result
    with pytest.raises(AttributeError, match="Result is immutable"):
        result.status = "error"  # type: ignore[misc]


def test_all_frozen_classes_refuse_changes() -> None:
    found = set()
    for module in pkgutil.walk_packages(bp.__path__, "banditplan."):
        if module.name.startswith(("banditplan.pddl", "banditplan.normalize", "banditplan.cli.options")):
            members = vars(importlib.import_module(module.name)).values()
            found |= {each for each in members if isinstance(each, type) and "__match_args__" in vars(each)}
    assert len(found) > 20
    for cls in found:
        with pytest.raises(AttributeError, match="immutable"):
            cls.__setattr__(object.__new__(cls), fields(cls)[0], None)
