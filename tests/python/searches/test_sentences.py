"""Sentences that no short name has: the same expansions as a slow reference, each heuristic asked once per state."""

from __future__ import annotations

from collections import Counter

import pytest
from random_tasks import FEATURES, PddlText
from searches.reference_best_first import Greedy, Softmin
from searches.reference_sentence import (
    RANDOM_TASKS,
    Alternation,
    Case,
    Lexicographic,
    Preferred,
    Queue,
    Tree,
    check,
    example,
    ground,
    timed,
)

import banditplan as bp
from banditplan import _core
from banditplan.components import components
from banditplan.components.spec import parse_search

CASES: dict[str, Case] = {
    "two greedy lists with preferred ones and a boost": (
        "alternation([greedy(ff), preferred(greedy(ff)), greedy(goalcount), preferred(greedy(goalcount))], boost=3)",
        [bp.Ff(), bp.GoalCount()],
        lambda random: Alternation(
            [
                Queue(Greedy(), 0, random),
                Preferred(Queue(Greedy(), 0, random)),
                Queue(Greedy(), 1, random),
                Preferred(Queue(Greedy(), 1, random)),
            ],
            boost=3,
        ),
    ),
    "a tree beside a queue": (
        "alternation([tree(ff, bandit=normal2), greedy(goalcount)])",
        [bp.Ff(), bp.GoalCount()],
        lambda random: Alternation(
            [Tree(0, "normal2", preferred=False, random=random), Queue(Greedy(), 1, random)], boost=0
        ),
    ),
    "two trees, one with preferred operators, and a preferred queue": (
        "alternation([tree(goalcount, bandit=ucb1), tree(ff, bandit=uniform, preferred=True), "
        "preferred(softmin(ff))], boost=2)",
        [bp.GoalCount(), bp.Ff()],
        lambda random: Alternation(
            [
                Tree(0, "ucb1", preferred=False, random=random),
                Tree(1, "uniform", preferred=True, random=random),
                Preferred(Queue(Softmin(), 1, random)),
            ],
            boost=2,
        ),
    ),
    "a lexicographic list": (
        "greedy(goalcount, hadd, ff)",
        [bp.GoalCount(), bp.HAdd(), bp.Ff()],
        lambda random: Lexicographic((0, 1, 2)),
    ),
}  # fmt: skip


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["crates", "lights", "levers", "courier", "museum"])
@pytest.mark.parametrize(("case", "time"), timed(CASES))
def test_examples_are_expanded_as_by_the_reference(case: str, name: str, time: str) -> None:
    assert sum(check(example(name), CASES[case], seed, 60, time=time) for seed in (1, 2)) > 2


@pytest.mark.slow
@pytest.mark.parametrize("kind", FEATURES)
@pytest.mark.parametrize(("case", "time"), timed(CASES))
def test_random_tasks_are_expanded_as_by_the_reference(case: str, kind: str, time: str) -> None:
    counts = [check(ground(kind, seed), CASES[case], seed, 30, time=time) for seed in RANDOM_TASKS]
    assert sum(counts) > 10


@pytest.mark.parametrize(("case", "time"), timed(CASES))
def test_lanes_and_looking_ahead_change_nothing(case: str, time: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A vector kernel that is forced always looks ahead, the scalar one never does."""
    found = []
    for kernel in ("scalar", "plain"):
        monkeypatch.setenv("BANDITPLAN_KERNEL", kernel)
        search = parse_search(f"best_first({CASES[case][0]}, {time})")
        searched = search.run(example("warehouse"), seed=3, max_evaluations=5000)
        found.append((searched.status, searched.plan, searched.evaluations, searched.expansions, searched.history))
    assert found[0] == found[1]


def test_a_lazy_search_keeps_its_limit_of_evaluations() -> None:
    search = parse_search("best_first(greedy(ff), lazy=True)")
    whole = search.run(example("warehouse"))
    assert whole.status == "solved"
    assert whole.inserted == whole.evaluations
    for limit in (1, whole.evaluations - 1):
        cut = search.run(example("warehouse"), max_evaluations=limit)
        assert (cut.status, cut.evaluations) == ("evaluation-limit", limit)
    assert search.run(example("warehouse"), max_evaluations=whole.evaluations).plan == whole.plan


@pytest.mark.parametrize("tree", ["tree(ff)", "preferred(tree(ff))", "alternation([greedy(ff), tree(ff)])"])
def test_a_tree_cannot_be_lazy(tree: str) -> None:
    with pytest.raises(bp.InputError, match="write deferred=True, not lazy=True"):
        parse_search(f"best_first({tree}, lazy=True)")


@pytest.mark.parametrize("name", ["warehouse", "orchestra", "lights"])
def test_looking_ahead_changes_nothing_beside_heuristics_of_paths(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("lama-first", "nolan", "gbfs(landmarks)", "best_first(greedy(landmarks, ff), deferred=True)"):
        found = []
        for kernel in ("scalar", "plain"):
            monkeypatch.setenv("BANDITPLAN_KERNEL", kernel)
            found.append(_core.expand(parse_search(text), example(name), seed=5, max_evaluations=3000))
        scalar, plain = found
        assert scalar.expanded == plain.expanded, text
        assert scalar.result.plan == plain.result.plan
        assert scalar.result.evaluations == plain.result.evaluations


@pytest.mark.slow
@pytest.mark.parametrize("reopen", ["cheaper", "as-cheap"])
def test_several_trees_move_states_in_one_search_space(reopen: str) -> None:
    """Lengths of paths are shared: whatever tree moves a subtree first, they stay right, and plans are plans."""
    lists = "tree(goalcount, bandit=uniform), tree(ff, bandit=uniform)"
    for name in ("museum", "warehouse"):
        for seed in range(40):
            result = bp.solve(
                example(name),
                search=f"best_first(alternation([{lists}]), reopen='{reopen}')",
                seed=seed,
                max_evaluations=20_000,
            )
            assert result.status == "evaluation-limit" or result.valid


def test_a_tree_of_preferred_children_has_its_root() -> None:
    search = parse_search("best_first(alternation([greedy(goalcount), preferred(tree(ff))], boost=100))")
    alone = _core.expand(parse_search("best_first(greedy(goalcount))"), example("warehouse"), max_expansions=60)
    both = _core.expand(search, example("warehouse"), max_expansions=60)
    assert both.expanded != alone.expanded
    texts: list[str] = []
    assert bp.solve(example("warehouse"), search=search, trace=texts.append).valid
    assert len(texts[0].splitlines()) > 10


def test_a_search_may_be_stopped_before_it_begins() -> None:
    import time

    search = parse_search("best_first(greedy(landmarks, ff))")
    assert search.run(example("warehouse"), deadline=time.monotonic() - 1).status == "time-limit"
    assert (
        _core.AnytimeSearch(search, example("warehouse"), deadline=time.monotonic() - 1).next().status == "time-limit"
    )


@pytest.mark.parametrize("limit", [1, 3, 10])
def test_heuristics_are_not_asked_beyond_the_limit(limit: int) -> None:
    asked = 0

    def blind(states: bp.States) -> list[float]:
        nonlocal asked
        asked += len(states)
        return [0.0] * len(states)

    for search in (bp.Gbfs(blind), bp.Guct(blind)):
        asked = 0
        assert search.run(example("warehouse"), max_evaluations=limit).evaluations == limit == asked


# ---- heuristics in Python


def test_a_heuristic_is_asked_once_per_state_however_many_lists_name_it() -> None:
    asked: Counter[_core.State] = Counter()

    def goals(states: bp.States) -> list[float]:
        asked.update(states[i] for i in range(len(states)))
        return [len(state.facts) % 5 for state in states]

    lists = [bp.GreedyList(goals, bp.Ff()), bp.TreeList(goals, bandit=bp.Ucb1Normal2()), bp.TypeList(goals)]
    search = bp.BestFirst(bp.Alternation([*lists, bp.PreferredList(bp.GreedyList(goals))], boost=5))
    result = search.run(example("warehouse"), seed=1, max_expansions=60)
    assert result.evaluations == len(asked) > 50
    assert set(asked.values()) == {1}


def test_a_method_is_the_same_heuristic_whenever_it_is_asked_for() -> None:
    class Counter:
        asked = 0

        def zero(self, states: bp.States) -> list[float]:
            self.asked += len(states)
            return [0.0] * len(states)

    counter = Counter()
    assert bp.Gbfs(counter.zero) == bp.Gbfs(counter.zero)
    search = bp.BestFirst(bp.Alternation([bp.GreedyList(counter.zero), bp.TypeList(counter.zero)]))
    assert search.run(example("crates"), max_expansions=20).evaluations == counter.asked


@pytest.mark.slow
def test_large_expansions_are_evaluated_in_parts() -> None:
    """More children at once than wait together; the same search as with one list after the other."""
    rooms = " ".join(f"r{i}" for i in range(1200))
    domain = """(define (domain maze) (:predicates (at ?r) (seen ?r))
      (:action go :parameters (?a ?b) :precondition (at ?a) :effect (and (not (at ?a)) (at ?b) (seen ?b))))"""
    problem = (
        f"(define (problem p) (:domain maze) (:objects {rooms}) (:init (at r0)) (:goal (and (seen r7) (seen r9))))"
    )
    task = PddlText(domain, problem).ground()
    for text in ("gbfs(preferred=True)", "best_first(greedy(novelty(ff), landmarks))", "guct-normal2"):
        result = parse_search(text).run(task)
        assert result.status == "solved"
        assert len(result.plan) == 2


def test_bandits_and_heuristics_in_python_fit_wherever_others_do() -> None:
    def blind(states: bp.States) -> list[float]:
        return [0.0] * len(states)

    def means(arms: bp.Arms) -> list[float]:
        return list(arms.mean)

    tree = bp.TreeList(blind, bandit=means)
    search = bp.BestFirst(bp.Alternation([tree, bp.GreedyList(bp.GoalCount(), blind)]), deferred=True)
    result = bp.solve(example("crates"), search=search)
    assert result.solved
    assert result.valid
    assert "python(" in result.search


# ---- what a sentence can prove


def test_a_list_of_preferred_children_proves_nothing() -> None:
    only = parse_search("best_first(preferred(greedy(ff)))")
    assert only.run(example("crates")).status == "exhausted"
    both = parse_search("best_first(alternation([preferred(greedy(ff)), greedy(ff)]))")
    assert both.run(example("crates")).status == "solved"
    assert both.run(example("levers")).status == "unsolvable"


@pytest.mark.parametrize("name", components(_core.NamedSearch))
def test_a_name_is_a_sentence(name: str) -> None:
    """The sentence is read back from its text, and takes the same course."""
    named = components(_core.NamedSearch)[name]()
    sentence = named.sentence
    assert parse_search(repr(sentence)) == sentence
    if not isinstance(sentence, bp.Race):
        first = _core.expand(named, example("museum"), seed=5, max_expansions=100)
        second = _core.expand(sentence, example("museum"), seed=5, max_expansions=100)
        assert first.expanded == second.expanded
    one, other = (search.run(example("museum"), seed=5, max_expansions=100) for search in (named, sentence))
    assert (one.status, one.plan, one.evaluations) == (other.status, other.plan, other.evaluations)


def test_names_belong_to_families() -> None:
    """`greedy` is an open list and a bandit: what is expected decides."""
    tree = parse_search("best_first(tree(ff, bandit=greedy))").open
    assert isinstance(tree, bp.TreeList)
    assert tree.bandit == bp.Greedy()
    assert parse_search("best_first(greedy)").open == bp.GreedyList()
    assert parse_search("best_first(open=greedy(hadd, ties='lifo'))").open == bp.GreedyList(bp.HAdd(), ties="lifo")
    assert parse_search("guct(bandit=greedy)") == bp.Guct(bandit=bp.Greedy())
