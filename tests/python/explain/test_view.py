"""What the page gets of a trace: the right numbers, bounded, and no name breaks out."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import pytest
from explain.traces import HOSTILE, largest, lines, made, real, text

from banditplan import _core
from banditplan.components import components
from banditplan.errors import Source
from banditplan.explain import compare_page, page
from banditplan.explain.bandit import bandit
from banditplan.explain.reading import read_trace
from banditplan.explain.view import ARM, view
from banditplan.page_parts import HERE, LIBRARY


def shown(trace: str) -> dict[str, Any]:
    return view(read_trace(Source("trace", trace)))


def test_numbers_arrive_unchanged() -> None:
    written = real()
    found = shown(written)
    trace = lines(written)
    names = next(line["names"] for line in trace if line["kind"] == "actions")
    steps = [line for line in trace if line["kind"] == "step"]
    nodes = [line for line in trace if line["kind"] == "node"]
    choices = [(line["round"], choice) for line in trace if line["kind"] == "path" for choice in line["choices"]]
    for key, column in found["steps"].items():
        assert column == [step[key] for step in steps]
    assert found["nodes"]["mean"] == pytest.approx([node["mean"] for node in nodes], rel=1e-5)
    assert found["nodes"]["parent"] == [node["parent"] for node in nodes]
    shown_names = [*found["names"], "root"]
    assert [shown_names[action] for action in found["nodes"]["action"]][1:] == [
        names[str(n["action"])] for n in nodes[1:]
    ]
    assert len(found["choices"]) == len(choices)
    for row, (number, choice) in zip(found["choices"], choices, strict=True):
        assert dict(zip(found["choiceColumns"][:-1], row, strict=False)) == {
            "round": number,
            **{key: choice[key] for key in ("node", "g", "total", "children", "offered", "chosen")},
        }
        for arm, original in zip(row[-1], choice["arms"], strict=True):
            values = dict(zip(ARM, arm, strict=True))
            assert shown_names[values.pop("action")] == names[str(original.pop("action"))]
            assert not original.pop("followed")
            flags = {key: int(original.pop(key)) for key in ("locked", "preferred")}
            assert {key: values.pop(key) for key in flags} == flags
            nothing = [key for key, value in original.items() if value is None]
            assert [values.pop(key) for key in nothing] == [original.pop(key) for key in nothing]
            assert values == pytest.approx(original, rel=1e-5)
    end = trace[-1]
    assert [found["names"][action] for action in found["plan"]["actions"]] == [names[str(a)] for a in end["plan"]]
    assert found["plan"]["nodes"] == end["nodes"]


def test_where_evaluations_went_adds_up() -> None:
    for search in ("guct-normal2", "guct-01"):
        found = shown(real(search))
        evaluations = found["steps"]["evaluations"]
        assert sum(found["depths"]["evaluations"]) == evaluations[-1] - 1  # all but the initial state
        assert len(found["depths"]["evaluations"]) <= 40
        root = found["nodes"]["count"][0]
        assert sum(share["leaves"] for share in found["first"]) == root
        at_first = evaluations[0] - 1  # the round that expanded the root went to none of its children
        rounds = found["rounds"]["round"]
        last = evaluations[found["steps"]["round"].index(rounds[-1])]
        assert sum(share["evaluations"] for share in found["first"]) == last - 1 - at_first


def test_spent_on_the_made_trace() -> None:
    found = shown(text(made()))
    assert found["depths"] == {"width": 1, "evaluations": [4, 4]}
    assert [(share["evaluations"], share["leaves"]) for share in found["first"]] == [(4, 4), (0, 4)]


@pytest.mark.slow
def test_notes_tell_what_is_left_out() -> None:
    little = " ".join(shown(text(made(children=2)))["notes"])
    assert "of the tree" not in little
    assert "one round in" not in little
    much = " ".join(shown(largest())["notes"])
    assert "Of about 1,000,001 nodes of the tree, 5,000 are shown" in much
    assert "one round in 4,096" in much
    assert "one round in 16,384" in much
    assert "choices among many arms (3,000 sampled)" in much
    trace = [line for line in made() if line["kind"] != "node"]
    assert "has no nodes" in " ".join(shown(text(trace))["notes"])


def test_every_bandit_has_its_words() -> None:
    for name in components(_core.Bandit):
        told = bandit(f"guct(bandit={name}(), backup=monte_carlo())")
        assert told["name"]
        assert told["name"] != "a bandit in Python"
        assert told["formula"].startswith("Ê") or told["score"] == "draw"
    assert bandit("guct(bandit=python(f))")["score"] == "score"
    assert "that can still be selected" in bandit("guct(bandit=normal2(), backup=full_bellman())")["estimate"]


class Elements(HTMLParser):
    """The tags of a page and the texts of its scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.lasttag == "script":
            self.scripts[-1] += data


def parsed(html: str) -> Elements:
    elements = Elements()
    elements.feed(html)
    elements.close()
    return elements


def test_hostile_names_stay_text() -> None:
    harmless, trace = made(), made(name=HOSTILE)
    trace[0] |= {"problem": HOSTILE, "domain": HOSTILE, "algorithm": HOSTILE, "search": HOSTILE, "version": HOSTILE}
    trace[-1]["status"] = HOSTILE
    for make in (page, lambda one: compare_page(one, one)):
        good, bad = parsed(make(text(harmless))), parsed(make(text(trace)))
        assert [tag for tag, _ in bad.tags] == [tag for tag, _ in good.tags]
        assert bad.scripts[1:] == good.scripts[1:]
        found = json.loads(bad.scripts[0])[0]
        assert found["names"][0] == HOSTILE
        assert found["status"] == HOSTILE


def test_a_page_needs_nothing_else() -> None:
    elements = parsed(page(text(made())))
    assert not [tag for tag, attributes in elements.tags if {"src", "href"} & set(attributes)]
    policy = next(attributes["content"] for tag, attributes in elements.tags if "http-equiv" in attributes)
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    assert policy.count("sha256-") == len(elements.scripts) - 1


@pytest.mark.slow
def test_the_page_of_the_largest_trace_is_bounded() -> None:
    trace = largest()
    made_page = page(trace)
    assert len(trace) > 12_000_000
    assert len(made_page) < 6_000_000
    plan = shown(trace)["plan"]
    assert plan["length"] == 100_000
    assert len(plan["numbers"]) == 2_200
    assert plan["numbers"][-1] == 99_999
    assert sum(b > a + 1 for a, b in pairwise(plan["numbers"])) == 1


def test_the_library_is_small_and_has_its_licence() -> None:
    library = (HERE / LIBRARY).read_text(encoding="utf-8")
    version = LIBRARY.removeprefix("d3-").removesuffix(".min.js")
    assert f"d3js.org v{version} " in library[:100]
    assert len(library.encode()) < 400_000
    assert "Permission to use, copy, modify" in (HERE / "d3-LICENSE.txt").read_text(encoding="utf-8")
    assert "Permission to use, copy, modify" in page(text(made()))
