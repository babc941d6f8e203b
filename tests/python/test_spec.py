"""Search texts: what they mean, what is wrong with them, and that nothing in them is ever executed."""

from __future__ import annotations

from pathlib import Path

import pytest

from banditplan import Ff, Gbfs, InputError, Search
from banditplan.components import ALIASES, FAMILIES, components, default_search
from banditplan.spec import parse_search

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


def test_components_compare_by_their_options() -> None:
    assert default_search() == Gbfs() == Gbfs(Ff()) == Gbfs(heuristic=Ff())
    assert parse_search("gbfs(ff)") == parse_search("gbfs(heuristic=ff())") == Gbfs()
    assert len({Gbfs(), Gbfs(Ff()), parse_search("gbfs")}) == 1
    assert Gbfs() != Ff()
    assert Gbfs() != "gbfs(heuristic=ff())"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a search reads like gbfs(heuristic=ff)"),
        ("gbfs(", "a search reads like gbfs(heuristic=ff)"),
        ("gbfs(ff))", "a search reads like gbfs(heuristic=ff)"),
        ("gbfs ff", "a search reads like gbfs(heuristic=ff)"),
        ("gbfs\0", "a search reads like gbfs(heuristic=ff)"),
        ("gbsf(ff)", 'unknown component "gbsf"; did you mean "gbfs"?'),
        ("qqqqqqq", 'unknown component "qqqqqqq"; known: gbfs, '),
        ("gbfs(heuristic=fff)", 'unknown component "fff"'),
        ("gbfs(heuristik=ff)", 'gbfs has no option "heuristik"; it has: heuristic'),
        ("gbfs(ff, ff, ff, ff, ff, ff, ff, ff)", "gbfs takes at most "),
        ("gbfs(heuristic=3)", "gbfs: heuristic must be of type Heuristic, not 3"),
        ("gbfs(heuristic=-1.5)", "gbfs: heuristic must be of type Heuristic, not -1.5"),
        ("gbfs(heuristic='ff')", "gbfs: heuristic must be of type Heuristic, not 'ff'"),
        ("gbfs(heuristic=gbfs)", "gbfs: heuristic must be of type Heuristic, not gbfs("),
        ("gbfs(heuristic=ff, heuristic=ff)", '"heuristic" is given twice; write each option once, as name=value'),
        ("gbfs(**ff)", "** cannot be used"),
        ("ff", '"ff" is not a search; known searches: gbfs'),
        ("3", '"3" is not a search; known searches: gbfs'),
        ("gbfs" + "(" * 150 + ")" * 150, "search "),
        ("gbfs(" + "ff(" * 90 + ")" * 91, "search "),
        ("-" * 5000 + "1", "search "),
    ],
)
def test_what_is_wrong_is_named_with_a_remedy(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_search(text)
    assert said in str(caught.value)


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
