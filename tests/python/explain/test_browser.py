"""The page in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest
from explain.traces import HOSTILE, largest, lines, made, real, text

import banditplan as bp
from banditplan import _core
from banditplan.components import components
from banditplan.explain import compare_page, page

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")
expect = playwright.expect

SIZES = {"desktop": (1280, 900), "phone": (390, 844)}


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Open a page; at the end, nothing may have gone wrong in it, and nothing may have been asked of a network."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def open_page(html: str, size: str = "desktop", **options: object) -> Any:
        width, height = SIZES[size]
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        view = context.new_page()
        view.set_default_timeout(60_000)
        view.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
        view.on("pageerror", lambda error: complaints.append(str(error)))
        view.on("request", lambda request: request.url.startswith("file:") or complaints.append(request.url))
        file = tmp_path / f"{len(contexts)}.html"
        file.write_text(html, encoding="utf-8")
        view.goto(file.as_uri())
        return view

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def ready(view: Any) -> Any:
    view.wait_for_selector("html[data-ready]", state="attached")
    return view


def items(view: Any) -> Any:
    return view.locator("[role=treeitem]")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report_fits_the_screen(opened: Callable[..., Any], size: str, scheme: str) -> None:
    view = ready(opened(page(real()), size, color_scheme=scheme))
    expect(view.locator("h1")).to_contain_text("guct(bandit=normal2) on warehouse/problem.pddl")
    assert view.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    for title in ("The tree", "Best h over evaluations", "Depth profile over time", "The plan"):
        expect(view.get_by_role("heading", name=title, exact=True)).to_be_visible()
    assert view.locator(".curve").count() >= 5
    for box in view.locator(".curve").all():
        assert box.bounding_box()["width"] > 100


def test_nodes_open_and_close_by_click(opened: Callable[..., Any]) -> None:
    written = real()
    view = ready(opened(page(written)))
    nodes = {line["node"]: line for line in lines(written) if line["kind"] == "node"}
    second = items(view).filter(has_text="(drive lift2 east dock-out)").first
    assert second.get_attribute("aria-expanded") == "false"
    before = items(view).count()
    second.locator(".dot").click()
    assert second.get_attribute("aria-expanded") == "true"
    children = next(node["children"] for node in nodes.values() if node["g"] == 1 and node["count"] == 5)
    assert items(view).count() == before + children
    expect(view.get_by_role("heading", name="Arms after (drive lift2 east dock-out)")).to_be_visible()
    second.locator(".dot").click()
    assert items(view).count() == before


def test_the_arms_are_drawn_and_the_choice_is_told(opened: Callable[..., Any]) -> None:
    written = real()
    view = ready(opened(page(written)))
    trace = lines(written)
    names = next(line["names"] for line in trace if line["kind"] == "actions")
    paths = [line for line in trace if line["kind"] == "path" and line["choices"] and line["choices"][0]["node"] == 0]
    for path, key in ((paths[-1], "End"), (paths[0], "Home")):
        view.get_by_role("slider", name="sampled choices at this node").press(key)
        choice = path["choices"][0]
        chosen = next(arm for arm in choice["arms"] if arm["node"] == choice["chosen"])
        varied = sum(arm["variance"] > 0 for arm in choice["arms"])
        expect(view.locator(".arms .arm")).to_have_count(len(choice["arms"]))
        assert view.locator(".arms .shape[d*='L']").count() == varied  # the others are spikes
        assert view.locator(".arms .arm.chosen").count() == 1
        said = view.locator(".why").inner_text().replace("−", "-")
        score = chosen["score"]
        assert f"{names[str(chosen['action'])]} was chosen: lowest bound" in said
        assert f"lowest bound {score:.2f}".removesuffix(".00") in said
        expect(view.locator("label output")).to_have_text(f"round {path['round']:,}")
        assert view.locator("tbody tr.chosen").count() == 1


def test_why_in_words(opened: Callable[..., Any]) -> None:
    view = ready(opened(page(text(made()))))
    assert re.sub(r"\s+", " ", view.locator(".why").inner_text()) == (
        "(move a b) was chosen: lowest bound 0.92 (mean 5, σ 2, n 4). "
        "The runner-up, (move b a), had 2.46 (mean 4.50, σ 1, n 4). Its estimate is worse by 0.50, but its bonus "
        "for exploration is larger: 4.08 against 2.04 (σ 2 against 1). "
        "(move a b): 5 − 2 · √(2 · ln 8) = 0.92 (move b a): 4.50 − 1 · √(2 · ln 8) = 2.46"
    )
    expect(items(view).last.locator(".name")).to_have_text("… 1 more child, 12 leaves: not in the trace")


def test_a_root_without_a_choice_is_passed_over(opened: Callable[..., Any]) -> None:
    written = real(search="guct-normal2(preferred=True)", example="crates")
    choices = [choice for line in lines(written) if line["kind"] == "path" for choice in line["choices"]]
    assert min(choice["g"] for choice in choices) == 1
    view = ready(opened(page(written)))
    expect(view.locator(".why")).to_contain_text("was chosen")
    assert view.locator("[role=treeitem][aria-selected=true]").get_attribute("aria-level") == "2"


def test_of_two_equal_means_the_wider_one_wins(opened: Callable[..., Any]) -> None:
    trace = made()
    trace[4]["choices"][0]["arms"][1] |= {"mean": 5.0, "estimate": 5.0, "score": 2.96}
    view = ready(opened(page(text(trace))))
    expect(view.locator(".why")).to_contain_text(
        "Their estimates are equal; its bonus for exploration is larger: 4.08 against 2.04 (σ 2 against 1)."
    )


def test_the_keyboard_walks_through_the_tree(opened: Callable[..., Any]) -> None:
    view = ready(opened(page(real())))
    view.locator("[role=treeitem][tabindex='0']").focus()

    def focused() -> tuple[str | None, str | None]:
        found = view.evaluate("[document.activeElement.ariaLevel, document.activeElement.ariaExpanded]")
        return found[0], found[1]

    keys = ["ArrowRight", "ArrowLeft", "ArrowRight", "ArrowRight", "ArrowDown", "Home", "Enter"]
    found = []
    for key in keys:
        view.keyboard.press(key)
        found.append(focused())
    assert found == [
        ("2", "true"),
        ("2", "false"),
        ("2", "true"),
        ("3", "false"),
        ("3", None),
        ("1", "true"),
        ("1", "false"),
    ]
    assert view.locator("[role=treeitem][tabindex='0']").count() == 1
    assert view.locator("[role=treeitem][aria-selected=true]").count() == 1


def test_the_plan_leads_through_the_tree(opened: Callable[..., Any]) -> None:
    written = real()
    end = lines(written)[-1]
    view = ready(opened(page(written)))
    names = next(line["names"] for line in lines(written) if line["kind"] == "actions")
    texts = view.locator(".plan-steps b").all_inner_texts()
    assert texts == ["initial state", *(names[str(action)] for action in end["plan"])]
    expect(view.locator(".plan-steps li").last).to_contain_text("goal")
    view.locator(".plan-steps button").nth(40).click()
    chosen = view.locator("[role=treeitem][aria-selected=true]")
    expect(chosen.locator(".name")).to_have_text(texts[40])
    assert chosen.get_attribute("aria-level") == "3"  # not forty levels to the right
    expect(view.locator(".trail")).to_contain_text("initial state › 35 more › ")
    expect(view.locator(".plan-steps [aria-current]")).to_contain_text(texts[40])
    expect(view.get_by_role("heading", name=f"Arms after {texts[40]}")).to_be_visible()
    view.locator(".trail button").first.click()
    expect(view.locator("[role=treeitem][aria-selected=true] .name")).to_have_text("initial state")


@pytest.mark.parametrize("size", SIZES)
def test_fit_fits_and_labels_are_whole(opened: Callable[..., Any], size: str) -> None:
    view = ready(opened(page(real()), size, reduced_motion="reduce"))
    for _ in range(3):  # open some levels
        items(view).last.locator(".dot").click()
    names = view.locator(".node .name").all_text_contents()
    assert not [name for name in names if name.endswith("…")]
    view.get_by_role("button", name="fit the tree").click()
    view.wait_for_function(
        """() => {
            const box = (selector) => document.querySelector(selector).getBoundingClientRect();
            const frame = box(".tree svg"), tree = box("[role=tree]");
            return frame.left <= tree.left + 1 && frame.top <= tree.top + 1
                && frame.right >= tree.right - 1 && frame.bottom >= tree.bottom - 1;
        }"""
    )


def test_no_label_covers_another_column(opened: Callable[..., Any]) -> None:
    view = ready(opened(page(real())))
    ends = view.evaluate(
        """() => [...document.querySelectorAll(".node")].map(node => {
            const level = Number(node.ariaLevel), dot = node.querySelector(".dot").getBoundingClientRect();
            const right = Math.max(...[...node.querySelectorAll("text")].map(t => t.getBoundingClientRect().right));
            return [level, dot.left, right];
        })"""
    )
    for level in {each[0] for each in ends}:
        nexts = [left for other, left, _ in ends if other == level + 1]
        assert not nexts or max(right for other, _, right in ends if other == level) < min(nexts)


@pytest.mark.parametrize("search", ["guct-normal2", "gbfs", "lama-first", "bfws-dual"])
def test_the_numbers_are_those_of_the_command(opened: Callable[..., Any], search: str) -> None:
    result = bp.solve(*bp.example("warehouse"), search=search)
    view = ready(opened(page(real(search))))
    tiles = dict(
        zip(view.locator(".tile dt").all_inner_texts(), view.locator(".tile dd").all_inner_texts(), strict=True)
    )
    plain = bp.solve(*bp.example("warehouse"), search=search, shorten=False)
    assert tiles["outcome"] == "solved"
    assert tiles["plan"].startswith(f"{plain.plan_length} steps\ncost {plain.plan_cost}")
    assert tiles["evaluations"].split("\n")[0] == f"{result.evaluations:,}"
    assert tiles["expansions"] == f"{result.expansions:,}\n{result.generated:,} successors"
    assert tiles["best h"] == f"{result.best_h}\nfrom {result.initial_h}"
    assert f"{result.dead_ends:,} of {result.evaluations:,} evaluations" in tiles["dead ends"]


@pytest.mark.parametrize("search", ["guct-normal2", "gbfs", "lama-first"])
def test_the_state_of_a_node(opened: Callable[..., Any], search: str) -> None:
    task = bp.load(*bp.example("warehouse"))
    written = real(search)
    end = lines(written)[-1]
    view = ready(opened(page(written)))
    state = task.initial_state
    for number, action in enumerate(end["plan"][:6], 1):
        before, state = state, task.apply(state, task.action(action))
        view.locator(".plan-steps button").nth(number).click()
        changed = view.locator(".state > .chips li").all_text_contents()
        plus = sorted(f"+ {fact}" for fact in set(state.facts) - set(before.facts))
        minus = sorted(f"− {fact}" for fact in set(before.facts) - set(state.facts))
        assert changed == plus + minus
        facts = view.locator(".state > details .chips li").all_text_contents()
        assert sorted(facts) == sorted(state.facts)
        expect(view.locator(".state > details summary")).to_have_text(f"All {len(facts)} facts that hold here")


def test_landmarks_of_a_node(opened: Callable[..., Any]) -> None:
    written = real("gbfs(landmarks)")
    end = lines(written)[-1]
    view = ready(opened(page(written)))
    counted = next(line for line in lines(written) if line["kind"] == "landmarks")
    past, future = map(set, counted["initial"])
    for number, node in enumerate(end["nodes"][1:], 1):
        reached, gone, come = counted["nodes"][str(node)]
        past, future = past | set(reached), (future - set(gone)) | set(come)
        view.locator(".plan-steps button").nth(number).click()
        titles = view.locator(".landmarks summary").all_text_contents()
        assert titles[0].startswith(f"Landmarks past: {len(past)} of {len(counted['landmarks'])}")
        assert titles[1].startswith(f"Landmarks future: {len(future)}")
        first = view.locator(".landmarks details").first.locator("li").all_text_contents()
        names = {" or ".join(counted["landmarks"][landmark]["facts"]) for landmark in reached}
        assert set(first[: len(reached)]) == names  # what is new comes first
    assert ready(opened(page(real()))).locator(".landmarks").count() == 0


TREES = [
    "guct",
    "guct-01",
    "guct-tuned(c=0.5)",
    "guct-v",
    "guct-normal",
    "guct-normal2",
    "guct-uniform",
    "guct*-normal2",
]


@pytest.mark.parametrize("search", TREES)
def test_formulas_give_the_scores_and_the_choices_of_the_bandits(opened: Callable[..., Any], search: str) -> None:
    """The page computes again what the core did, and what another bandit would do as the core would."""
    view = ready(opened(page(real(search, max_evaluations=400))))
    found = view.evaluate(
        """() => {
            const search = searches[0], { key, c } = search.bandit, result = [];
            for (const row of search.choices.slice(0, 400)) {
                const choice = search.choice(row), at = setting(search, choice, key, c);
                if (choice.children > choice.arms.length) continue;
                const arms = choice.arms.filter(arm => arm.estimate !== null);
                const others = {};
                for (const name of Object.keys(BANDITS)) others[name] = verdict(search, choice, name, 1);
                result.push({ arms, total: choice.total, chosen: choice.chosen, all: choice.arms,
                    scores: arms.map(arm => BANDITS[key].score(arm, at)), others });
            }
            return result;
        }"""
    )
    assert len(found) > 30
    classes = components(_core.Bandit)
    for choice in found:
        arms = choice["arms"]
        assert choice["scores"] == pytest.approx([arm["score"] for arm in arms], rel=1e-3, abs=1e-3)
        if len(arms) < len(choice["all"]) or "*" in search:
            continue  # the core is not told of others that are not offered
        columns = {
            key: [float(arm[key]) for arm in arms] for key in ("count", "mean", "variance", "minimum", "maximum")
        }
        for name, other in choice["others"].items():
            chosen = classes[name]().choose(**columns, total=choice["total"])
            if other["ties"] == 1:
                assert arms[chosen]["node"] == other["arm"]["node"], name


def test_what_other_bandits_would_choose(opened: Callable[..., Any]) -> None:
    view = ready(opened(page(real())))
    table = view.get_by_role("region", name="what other bandits would choose")
    names = table.locator("tbody th").all_inner_texts()
    assert names == [
        "UCB1", "UCB1-01", "UCB1-Tuned", "UCB-V", "UCB1-Normal", "UCB1-Uniform", "greedy", "TTTS-Normal",
    ]  # fmt: skip
    assert "NaN" not in table.inner_text()


@pytest.mark.parametrize("search", ["guct-normal2", "gbfs", "lama-first", "bfws-dual"])
def test_the_growth_of_the_tree_is_replayed(opened: Callable[..., Any], search: str) -> None:
    view = ready(opened(page(real(search)), reduced_motion="reduce"))
    slider = view.get_by_role("slider", name="growth of the tree")
    ends = view.locator(".replay output")
    expect(ends).to_have_text("the end")
    at_the_end = items(view).count()
    slider.press("Home")
    expect(ends).to_contain_text("round 0:")
    few = items(view).count()
    slider.fill("40")
    expect(ends).to_contain_text("round 40:" if search != "bfws-dual" else "round 160:")
    assert items(view).count() >= few
    steps = [line for line in lines(real(search)) if line["kind"] == "step"]
    shown = view.evaluate(
        "() => searches[0].stepRows.slice(0, 60).map(step => new Moment(searches[0], step).sizes.size)"
    )
    assert shown == sorted(shown)
    if steps[-1]["nodes"] <= 5_000:
        last = view.evaluate("() => new Moment(searches[0], searches[0].last).sizes.size")
        assert last == pytest.approx(steps[-1]["nodes"], abs=2)
    slider.press("End")
    expect(ends).to_have_text("the end")
    assert items(view).count() == at_the_end
    view.get_by_role("button", name="Replay").click()
    expect(view.get_by_role("button", name="Pause")).to_be_visible()
    expect(ends).to_contain_text("round")


def test_zooming(opened: Callable[..., Any]) -> None:
    view = ready(opened(page(real())))
    tree = view.locator("[role=tree]")
    expect(tree).to_have_attribute("transform", re.compile(r"scale\(0\.\d+\)"))
    first = float(re.findall(r"scale\((.*)\)", tree.get_attribute("transform"))[0])
    view.get_by_role("button", name="zoom in").click()
    expect(tree).to_have_attribute("transform", re.compile(rf"scale\({1.5 * first:.3f}"[:-1]))
    view.get_by_role("button", name="fit the tree").click()
    expect(tree).not_to_have_attribute("transform", re.compile(rf"scale\({1.5 * first:.3f}"[:-1]))


@pytest.mark.parametrize("size", SIZES)
def test_a_comparison(opened: Callable[..., Any], size: str) -> None:
    view = ready(opened(compare_page(real("guct-01"), real()), size))
    expect(view.locator("h1")).to_have_text("guct(bandit=ucb1_01) against guct(bandit=normal2)")
    expect(view.locator("header p")).to_have_text("Both on warehouse/domain.pddl, warehouse/problem.pddl.")
    assert view.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    table = view.get_by_role("region", name="the searches in numbers")
    assert table.evaluate("box => box.scrollWidth - box.clientWidth") <= 0  # both columns can be seen
    assert view.locator("[role=tree]").count() == 2
    assert view.locator(".why").count() == 2
    assert view.get_by_role("img", name="Share of the evaluations by depth").locator(".curve").count() == 2


def test_two_runs_of_one_search_are_told_apart(opened: Callable[..., Any]) -> None:
    view = ready(opened(compare_page(real(seed=1), real(seed=2))))
    expect(view.locator("h1")).to_have_text("guct(bandit=normal2) (seed 1) against guct(bandit=normal2) (seed 2)")


@pytest.mark.parametrize(
    "search", ["guct-uniform", "ttts-normal", "guct*-normal2", "guct-normal", "guct-v(preferred=True)"]
)
def test_every_kind_of_bandit_is_explained(opened: Callable[..., Any], search: str) -> None:
    view = ready(opened(page(real(search, max_evaluations=500))))
    expect(view.locator(".why")).to_contain_text("was chosen")
    assert "NaN" not in view.locator("main").inner_html()
    assert "undefined" not in view.locator("body").inner_text()


def test_traces_with_little_in_them(opened: Callable[..., Any]) -> None:
    for kinds in (("node",), ("step", "path"), ("step", "path", "node")):
        trace = [line for line in made() if line["kind"] not in kinds]
        view = ready(opened(page(text(trace))))
        expect(view.get_by_role("heading", name="What is not shown")).to_be_visible()
    ready(opened(page(real(example="levers"))))
    view = ready(opened(page(real(example="island"))))
    expect(view.locator(".card", has_text="Why there is no plan")).to_contain_text("no action adds one")


def test_hostile_names_are_shown_as_they_are(opened: Callable[..., Any]) -> None:
    trace = made(name=HOSTILE)
    trace[0] |= {"algorithm": HOSTILE, "problem": "p.pddl"}
    for html in (page(text(trace)), compare_page(text(trace), text(trace))):
        view = ready(opened(html))
        assert view.title() != "broken"
        assert view.locator("img:not(svg)").count() == 0
        assert HOSTILE.split()[0] in view.locator("h1").inner_text()


def test_the_largest_trace_opens(opened: Callable[..., Any]) -> None:
    view = ready(opened(page(largest())))
    more = items(view).last
    expect(more).to_contain_text("… 999,992 more children")
    more.locator(".dot").click()
    expect(items(view).last).to_contain_text("… 999,984 more children")
    assert items(view).count() == 18
    assert view.locator(".plan-steps li").count() == 2_202


def test_a_frame_that_is_hidden_at_first(opened: Callable[..., Any]) -> None:
    inner = escape(page(text(made())))
    view = opened(
        f'<!doctype html><iframe hidden sandbox="allow-scripts" srcdoc="{inner}" width=900 height=700></iframe>'
    )
    frame = view.frame_locator("iframe")
    expect(frame.locator("html[data-ready]")).to_be_attached()
    view.evaluate("document.querySelector('iframe').hidden = false")
    expect(frame.get_by_role("img", name="Distributions of the arms")).to_be_visible()
    expect(frame.locator("[role=tree]")).to_have_attribute("transform", re.compile(r"translate\(22,[1-9]\d\d"))


def test_it_works_in_a_sandboxed_frame(opened: Callable[..., Any]) -> None:
    inner = escape(page(text(made())))
    view = opened(f'<!doctype html><iframe sandbox="allow-scripts" srcdoc="{inner}" width=900 height=700></iframe>')
    frame = view.frame_locator("iframe")
    expect(frame.locator("html[data-ready]")).to_be_attached()
    frame.locator("[role=treeitem]").nth(1).locator(".dot").click()
    expect(frame.get_by_role("heading", name="Arms after (move a b)")).to_be_visible()
