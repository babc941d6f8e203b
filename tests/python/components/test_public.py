"""What a search can be made of is part of the public API."""

from __future__ import annotations

import pytest

import banditplan as bp
from banditplan import _core
from banditplan.components import FAMILIES, components, draws
from banditplan.components.spec import parse_search


@pytest.mark.parametrize(("family", "base"), FAMILIES)
def test_every_component_is_public(family: str, base: type) -> None:
    found = components(base)
    assert found, f"there is no {family}"
    for item in found.values():
        assert item.__name__ in bp.__all__
        assert getattr(bp, item.__name__) is item


def test_the_public_names_are_those_that_can_be_had() -> None:
    assert sorted(bp.__all__) == dir(bp)
    assert all(getattr(bp, name) is not None for name in bp.__all__)
    names: dict[str, object] = {}
    exec("from banditplan import *", names)
    assert set(bp.__all__) <= names.keys()
    for private in ("make_task", "SearchResult", "_core_", "nothing"):
        with pytest.raises(AttributeError, match="has no attribute"):
            getattr(bp, private)


@pytest.mark.parametrize(("family", "base"), FAMILIES)
def test_every_component_says_where_it_comes_from(family: str, base: type) -> None:
    own = {"best_first", "series", "race", "agile", "greedy", "blind"}  # nobody's, or everybody's
    for name, item in components(base).items():
        assert (item.paper != "") is (name not in own) or (family, name) == ("open list", "greedy")
        assert f"({item.paper})" in item.__doc__ or not item.paper
        assert not item.paper or item.paper[-4:].isdigit()


def test_what_draws_random_numbers_says_so() -> None:
    """By its courses: a search whose course changes with the seed draws; one that draws nothing never changes."""
    tasks = [bp.load(*bp.example(name)) for name in ("museum", "warehouse")]
    plain = ("gbfs", "bfs", "wastar", "lama-first", "bfws-f5", "apx-bfws")
    drawing = ("gbfs(ties='random')", "guct", "guct-normal2", "softmin-type", "type-gbfs", "epsilon-gbfs")
    for name in (*plain, *drawing, "best_first(alternation([greedy(ff), type(ff)]))"):
        search = parse_search(name)
        courses = [
            _core.expand(search, task, seed=seed, max_expansions=60).expanded for task in tasks for seed in (1, 2)
        ]
        assert (courses[0] != courses[1] or courses[2] != courses[3]) is draws(search) is (name not in plain), name
