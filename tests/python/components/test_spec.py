"""Search texts: what they mean, what is wrong with them, and that nothing in them is ever executed."""

from __future__ import annotations

from pathlib import Path

import pytest

from banditplan import (
    Agile,
    EpsilonGbfs,
    Ff,
    FullBellman,
    Gbfs,
    Guct,
    HAdd,
    InputError,
    Search,
    SoftminType,
    Ucb1,
    Ucb101,
    UcbV,
)
from banditplan.components import ALIASES, FAMILIES, components, default_search, heuristic_search
from banditplan.components.planners import PLANNERS
from banditplan.components.spec import parse_search

SEARCHES = components(Search)
OTHERS = [
    (name, family, component) for name, family in FAMILIES if family is not Search for component in components(family)
]


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_is_read_back_from_its_repr(name: str) -> None:
    search = SEARCHES[name]()
    assert parse_search(repr(search)) == search
    assert parse_search(name) == parse_search(f"{name}()") == parse_search(f"  {name} ( ) ") == search
    assert hash(parse_search(repr(search))) == hash(search)
    assert repr(search).startswith(f"{name}(")


@pytest.mark.sweep
@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize(("option", "family", "component"), OTHERS)
def test_a_component_is_read_back_from_the_repr_of_a_search(
    name: str, option: str, family: type, component: str
) -> None:
    if not hasattr(SEARCHES[name], option):
        return
    part = components(family)[component]()
    search = parse_search(f"{name}({option}={component})")
    assert getattr(search, option) == part
    assert search == SEARCHES[name](**{option: part}) == parse_search(repr(search))


def test_an_alias_is_a_search() -> None:
    for alias, text in ALIASES.items():
        assert parse_search(alias) == parse_search(text)


@pytest.mark.sweep
@pytest.mark.parametrize("alias", sorted(alias for alias in ALIASES if hasattr(parse_search(alias), "heuristic")))
def test_an_alias_takes_options(alias: str) -> None:
    search = type(parse_search(alias))
    assert parse_search(f"{alias}(hadd)") == parse_search(f" {alias} ( heuristic = hadd() )")
    assert parse_search(f"{alias}(hadd)").heuristic == HAdd()
    for flag in ("preferred", "deferred"):
        chosen = parse_search(f"{alias}(hadd, {flag}=True)")
        assert isinstance(chosen, search)
        assert getattr(chosen, flag) is True
    with pytest.raises(InputError, match='has no option "d"'):
        parse_search(f"{alias}(d=0.5)")


def test_a_planner_takes_options_of_its_search() -> None:
    lama = parse_search("type-lama")
    assert lama == parse_search(PLANNERS["type-lama"]) != parse_search("type-lama(lazy=False)")
    assert parse_search("type-lama(lazy=False)") == lama.with_options(lazy=False)
    with pytest.raises(InputError, match="write options as name=value"):
        parse_search("type-lama(hadd)")


@pytest.mark.parametrize("alias", [alias for alias, text in ALIASES.items() if text.startswith("guct")])
def test_options_of_a_tree_search_and_its_bandit(alias: str) -> None:
    expected = parse_search(ALIASES[alias])
    assert isinstance(expected, Guct)
    options = {"bandit": expected.bandit, "backup": expected.backup, "heuristic": HAdd()}
    assert parse_search(f"{alias}(hadd)") == Guct(**options)
    for flag in ("preferred", "deferred"):
        assert parse_search(f"{alias}(hadd, {flag}=True)") == Guct(**options, **{flag: True})
    assert parse_search(f"{alias}(backup=full_bellman)") == Guct(bandit=expected.bandit, backup=FullBellman())
    if hasattr(expected.bandit, "c"):
        rated = type(expected.bandit)(c=0.5)
        assert parse_search(f"{alias}(c=0.5)") == Guct(bandit=rated, backup=expected.backup)
    else:
        with pytest.raises(InputError, match='has no option "c"'):
            parse_search(f"{alias}(c=0.5)")


def test_the_names_of_the_papers() -> None:
    assert {"guct", "guct*", "guct-normal2", "guct*-normal2", "ttts-normal", "ttts-normal*"} < set(ALIASES)
    assert parse_search("guct") == Guct() == Guct(bandit=Ucb1(c=1))
    assert parse_search("guct*-01(c=0.3)") == Guct(bandit=Ucb101(c=0.3), backup=FullBellman())
    assert parse_search("guct(bandit=ucb_v, c=2)") == Guct(bandit=UcbV(c=2))
    assert parse_search("guct(bandit=ucb_v(), c=2)") == Guct(bandit=UcbV(c=2))
    assert parse_search("softmin-type(temperature=2)") == SoftminType(temperature=2)
    assert parse_search("epsilon-gbfs(hadd, epsilon=0.1)") == EpsilonGbfs(HAdd(), epsilon=0.1)


def test_components_compare_by_their_options() -> None:
    assert Gbfs() == Gbfs(Ff()) == Gbfs(heuristic=Ff())
    assert default_search() == parse_search("agile") == Agile() != parse_search("guct-normal2")
    assert heuristic_search() == parse_search("guct-normal2(ff, preferred=True)") != parse_search("guct-normal2")
    assert parse_search("gbfs(ff)") == parse_search("gbfs(heuristic=ff())") == Gbfs()
    assert len({Gbfs(), Gbfs(Ff()), parse_search("gbfs")}) == 1
    assert Gbfs() != Ff()
    assert Gbfs() != "gbfs(heuristic=ff())"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "write calls such as gbfs(heuristic=ff)"),
        ("gbfs(", "write calls such as gbfs(heuristic=ff)"),
        ("gbfs(ff))", "write calls such as gbfs(heuristic=ff)"),
        ("gbfs ff", "write calls such as gbfs(heuristic=ff)"),
        ("gbfs\0", "write calls such as gbfs(heuristic=ff)"),
        ("gbsf(ff)", 'unknown component "gbsf"; did you mean "gbfs"?'),
        ("qqqqqqq", 'unknown component "qqqqqqq"; known: best_first, series, race, gbfs, '),
        ("gbfs(heuristic=fff)", 'unknown component "fff"'),
        ("guct-normal3", 'unknown component "guct-normal3"; did you mean "guct-normal'),
        ("guct*-narmal(ff)", 'unknown component "guct*-narmal"; did you mean "guct*-normal"?'),
        ("guct-01(ff, ucb1)", "only the heuristic can go without a name"),
        ("guct-01(c=1, c=2)", '"c" is given twice'),
        ("guct-01(", "write calls such as gbfs(heuristic=ff)"),
        ("guct-01(ff).heuristic", "write options as name=value"),
        ("guct-normal2(c=1)", 'normal2 has no option "c"'),
        ("softmin-type(c=1)", 'softmin_type has no option "c"; it has: heuristic, temperature, preferred, deferred'),
        ("softmin-type(temperature=0)", "temperature must be greater than 0, not 0"),
        ("gbfs(ties='none')", "gbfs: ties must be of type typing.Literal['fifo', 'lifo', 'random'], not 'none'"),
        ("guct-01(c='a')", "ucb1_01: c must be of type float, not 'a'"),
        ("guct-01(graft='sometimes')", "guct: graft must be of type typing.Literal['paper', 'strict', 'never']"),
        ("gbfs(heuristik=ff)", 'gbfs has no option "heuristik"; it has: heuristic'),
        ("gbfs(ff, ff, ff, ff, ff, ff, ff, ff)", "gbfs takes at most "),
        ("gbfs(heuristic=3)", "gbfs: heuristic must be of type Heuristic, not 3"),
        ("gbfs(heuristic=-1.5)", "gbfs: heuristic must be of type Heuristic, not -1.5"),
        ("gbfs(heuristic='fff')", 'heuristic "fff": unknown component "fff"; did you mean "ff"?'),
        ("gbfs(heuristic=mine.h)", 'no Python file "mine.py" was imported; give --import mine.py or'),
        ("gbfs(heuristic=python(mine.h))", 'no Python file "mine.py" was imported'),
        ("gbfs(heuristic=python(3))", "expected the name of a function, such as mine.bandit"),
        ("gbfs(heuristic=gbfs)", "gbfs: heuristic must be of type Heuristic, not gbfs("),
        ("gbfs(heuristic=ff, heuristic=ff)", '"heuristic" is given twice; write each option once, as name=value'),
        ("gbfs(**ff)", "** cannot be used"),
        ("ff", '"ff" is not a search; known searches: best_first, series, race, gbfs, '),
        ("3", '"3" is not a search; known searches: best_first, series, race, gbfs, '),
        ("gbfs" + "(" * 150 + ")" * 150, "search "),
        ("gbfs(" + "ff(" * 90 + ")" * 91, "search "),
        ("-" * 5000 + "1", "search "),
    ],
)
def test_what_is_wrong_is_named_with_a_remedy(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_search(text)
    assert said in str(caught.value)


@pytest.mark.sweep
@pytest.mark.parametrize(
    "code",
    [
        "__import__('os').mkdir('proof')",
        "open('proof', 'w')",
        "exec(\"open('proof', 'w')\")",
        "(lambda: open('proof', 'w'))()",
        "[open('proof', 'w') for _ in '1'][0]",
        "f\"{open('proof', 'w')}\"",
        "(proof := open('proof', 'w'))",
        "gbfs if open('proof', 'w') else gbfs",
        "gbfs.__class__",
        "gbfs().__class__.__mro__",
        "().__class__",
        "gbfs[0]",
        "gbfs(*[ff])",
        "gbfs + gbfs",
        "not gbfs",
        "2 ** 999999999",
        "lambda: gbfs",
        "gbfs; gbfs",
        "__builtins__",
        "Search",
        "Gbfs()",
        "_core",
    ],
)
@pytest.mark.parametrize("frame", ["{}", "gbfs({})", "gbfs(heuristic={})"])
def test_nothing_but_calls_of_known_names_is_accepted(
    code: str, frame: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"^search "):
        parse_search(frame.format(code))
    assert list(tmp_path.iterdir()) == []
