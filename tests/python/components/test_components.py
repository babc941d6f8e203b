"""Components as Python sees them: equality, functions in their place, what is said about them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import banditplan as bp
from banditplan import _core
from banditplan.cli.main import main
from banditplan.components import ALIASES, FAMILIES, components, family_of, listing
from banditplan.components.page import example, explain_component, written
from banditplan.components.spec import parse_search

NAMES = [(family, name) for family, base in FAMILIES for name in components(base)]


def zero(states: bp.States) -> list[float]:
    return [0.0] * len(states)


# ---- functions


def test_searches_with_different_functions_differ() -> None:
    first = bp.Gbfs(lambda states: [0.0] * len(states))
    second = bp.Gbfs(lambda states: [1.0] * len(states))
    assert first != second
    assert hash(first) != hash(second)
    assert repr(first) != repr(second)
    assert bp.Gbfs(zero) == bp.Gbfs(zero)
    assert hash(bp.Gbfs(zero)) == hash(bp.Gbfs(zero))
    assert len({bp.Gbfs(zero), bp.Gbfs(zero), first, second}) == 3
    assert bp.PythonHeuristic(zero) == bp.PythonHeuristic(zero)
    assert f"python({__name__}.zero)" in repr(bp.Gbfs(zero))


def test_a_heuristic_may_be_a_generator() -> None:
    def counted(states: bp.States) -> Iterator[float]:
        for state in states:
            yield float(len(state.facts))

    task = bp.load(*bp.example("crates"))
    assert bp.solve(task, search=bp.Gbfs(counted)).solved
    listed = bp.Gbfs(lambda states: list(counted(states)))
    assert bp.solve(task, search=bp.Gbfs(counted)).plan == bp.solve(task, search=listed).plan


def test_a_generator_must_give_as_many_values_as_there_are_states() -> None:
    def endless(states: bp.States) -> Iterator[float]:
        while True:
            yield 1.0

    task = bp.load(*bp.example("crates"))
    with pytest.raises(ValueError, match="a heuristic returned too many values for 1 states"):
        bp.Gbfs(endless).run(task)
    with pytest.raises(ValueError, match="a heuristic returned 0 values for 1 states"):
        bp.Gbfs(lambda states: iter(())).run(task)


def test_a_class_is_no_function() -> None:
    with pytest.raises(TypeError, match=r"gbfs: heuristic must be of type Heuristic, not .*Ff.*; write Ff\(\)"):
        bp.Gbfs(bp.Ff)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"; write Ucb1\(\)"):
        bp.Guct(bandit=bp.Ucb1)  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [0, -1, 1.5, 2.0**31, float("nan"), float("inf")])
def test_a_bandit_refuses_counts_that_are_none(count: float) -> None:
    with pytest.raises(ValueError, match="a count must be a whole number from 1 to"):
        bp.Ucb1().choose([count, 1], [1, 2], [0, 0], [1, 2], [1, 2], total=3)


# ---- lists of components


def test_lists_take_components_and_nothing_else() -> None:
    assert bp.Alternation([bp.GreedyList(), bp.FifoList()]).lists == (bp.GreedyList(), bp.FifoList())
    assert bp.GreedyList(bp.Ff(), zero).heuristics == (bp.Ff(), bp.PythonHeuristic(zero))
    for wrong in (3, [3], bp.GreedyList(), [bp.Ff()]):
        with pytest.raises(TypeError, match="alternation: lists must be of type"):
            bp.Alternation(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there must be at least one"):
        bp.Alternation([])
    with pytest.raises(ValueError, match="boost must be from 0"):
        bp.Alternation([bp.GreedyList()], boost=-1)
    with pytest.raises(TypeError, match="heuristics is given twice"):
        bp.GreedyList(bp.Ff(), heuristics=[bp.Ff()])


# ---- what is said about them


@pytest.mark.sweep
@pytest.mark.parametrize(("family", "name"), NAMES)
def test_every_component_is_explained_with_an_example_that_works(family: str, name: str) -> None:
    page = explain_component(name)
    assert family in page
    for option, *_ in components(dict(FAMILIES)[family])[name].options():
        assert f"  {option} = " in page
    text = example(family, name)
    assert name in text
    assert f"--search {text}" in page or f'--search "{text}"' in page
    search = parse_search(text)
    assert parse_search(written(search)) == search == parse_search(repr(search))
    assert bp.solve(*bp.example("crates"), search=search).solved


@pytest.mark.parametrize("alias", ALIASES)
def test_every_name_is_explained(alias: str) -> None:
    page = explain_component(alias)
    assert "best_first(" in page
    search = parse_search(alias)
    assert written(search.sentence if isinstance(search, _core.NamedSearch) else search) in page


def test_the_command_explains(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["components"]) == 0
    assert capsys.readouterr().out.strip() == listing()
    assert "open list:" in listing()
    for name in [name for _, name in NAMES] + list(ALIASES):
        assert re.search(rf"^  {re.escape(name)}  +\S", listing(), re.MULTILINE)
    assert main(["components", "alternation"]) == 0
    assert capsys.readouterr().out.strip() == explain_component("alternation")
    assert main(["components", "alternatin"]) == 31
    assert 'did you mean "alternation"?' in capsys.readouterr().err


# ---- texts in the place of components


def test_a_text_serves_wherever_a_component_does() -> None:
    assert bp.Guct(heuristic="hadd", bandit="ucb1(c=0.5)", backup="full_bellman") == bp.Guct(
        heuristic=bp.HAdd(), bandit=bp.Ucb1(c=0.5), backup=bp.FullBellman()
    )
    assert bp.GreedyList("hadd", bp.Ff()) == bp.GreedyList(bp.HAdd(), bp.Ff())
    assert bp.Alternation(["greedy", "type(hmax)"]) == bp.Alternation([bp.GreedyList(), bp.TypeList(bp.HMax())])
    assert bp.BestFirst("tree(ff, bandit=greedy)") == bp.BestFirst(bp.TreeList(bp.Ff(), bandit=bp.Greedy()))
    assert bp.PreferredList("greedy(hadd)") == bp.PreferredList(bp.GreedyList(bp.HAdd()))
    assert bp.Series(["gbfs", "guct-01(c=2)"]) == bp.Series([bp.Gbfs(), bp.Guct(bandit=bp.Ucb101(c=2))])
    assert bp.Novelty("goalcount", "landmarks") == bp.Novelty(bp.GoalCount(), bp.Landmarks())
    assert bp.Gbfs().with_options(heuristic="blind") == bp.Gbfs(bp.Blind())


@pytest.mark.parametrize(("family", "base"), FAMILIES)
def test_every_option_that_takes_a_component_takes_its_text(family: str, base: type) -> None:
    for component in components(base).values():
        for option, kind, *_ in component.options():
            wanted = family_of(kind)
            if wanted is None:
                continue
            for text, part in components(wanted).items():
                if wanted is _core.Search and issubclass(component, wanted):
                    continue  # a series of itself, and so on without end
                if option.startswith("*"):
                    assert component(text) == component(part())
                else:
                    value = [text] if "Sequence" in kind else text
                    same = [part()] if "Sequence" in kind else part()
                    assert component(**{option: value}) == component(**{option: same})


def test_a_text_that_will_not_do_is_told_why() -> None:
    with pytest.raises(bp.InputError, match='heuristic "hadx": unknown component "hadx"; did you mean'):
        bp.Guct(heuristic="hadx")
    with pytest.raises(bp.InputError, match='"ucb1" is no heuristic; known: ff, '):
        bp.Guct(heuristic="ucb1")
    with pytest.raises(bp.InputError, match="no Python file"):
        bp.Guct(bandit="os.system")
