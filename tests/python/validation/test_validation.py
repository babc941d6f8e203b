"""What the validator accepts, what it rejects, and how it says why."""

from __future__ import annotations

import time

import pytest

import banditplan as bp
from banditplan import examples
from banditplan.errors import PddlError, Source
from banditplan.files import read_source
from banditplan.limits import LimitReached
from banditplan.pddl.parser import parse
from banditplan.pddl.syntax import Parsed
from banditplan.plan import Step, read_plan
from banditplan.validation import Verdict, validate


def example(name: str) -> Parsed:
    domain, problem = examples.paths(name)
    return parse(read_source(domain), read_source(problem))


def steps(text: str) -> tuple[Step, ...]:
    return read_plan(Source("plan", text))


def task(sections: str, init: str = "", goal: str = "(and)", objects: str = "a b c", metric: str = "") -> Parsed:
    """A task over predicates p, q (one argument) and r (two), with `sections` of a domain."""
    domain = f"""(define (domain d) (:requirements :adl :derived-predicates :action-costs) (:types t - object)
      (:constants {objects}) (:predicates (p ?x) (q ?x) (r ?x ?y) (d ?x) (e ?x) (reach ?x ?y)) {sections})"""
    problem = f"""(define (problem x) (:domain d) (:init {init}) (:goal {goal}) {metric})"""
    return parse(Source("domain", domain), Source("problem", problem))


def action(effect: str, precondition: str = "(and)", parameters: str = "") -> str:
    return f"(:action go :parameters ({parameters}) :precondition {precondition} :effect {effect})"


def judge(parsed: Parsed, plan: str = "(go)") -> str:
    return validate(parsed, steps(plan)).reason


# ---- whole plans of the examples

PLANS = {
    "courier": (
        "(pick contract post) (ride post castle) (hand-over contract castle) (pick invitation castle)"
        "(ride castle bridge) (ride bridge harbour) (pick postcard harbour) (ride harbour bridge)"
        "(ride bridge mill) (hand-over invitation mill) (ride mill post) (hand-over postcard post)"
    ),
    "plumbing": "(turn-off v2) (mend hall) (turn-off v5) (turn-on v2) (turn-on v3) (turn-on v4)",
}


def test_a_plan_with_unit_cost() -> None:
    plan = PLANS["plumbing"].replace(") (", ")\n(")
    assert validate(example("plumbing"), steps(plan)) == Verdict(True, 6, True, None, "")


def test_a_plan_with_action_costs() -> None:
    plan = PLANS["courier"].replace(")", ")\n")
    # three letters are picked; the rest are the efforts of the roads
    assert validate(example("courier"), steps(plan)) == Verdict(True, 3 + 20 + 1 + 2 + 2 + 4 + 3, False, None, "")


def test_a_plan_that_lacks_its_end() -> None:
    plan = PLANS["courier"].replace(")", ")\n").rsplit("(", 1)[0]
    verdict = validate(example("courier"), steps(plan))
    assert (verdict.valid, verdict.cost, verdict.unit_cost) == (False, 35, False)
    assert verdict.reason == "goal (delivered postcard post) does not hold after the last step"
    assert (verdict.step, verdict.action, verdict.conditions) == (None, None, ("(delivered postcard post)",))
    assert verdict.state is not None
    assert "(carried postcard)" in verdict.state


# ---- steps that cannot be taken


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        ("(bak rye oven)", 'step 2 (bak rye oven): unknown action "bak"; did you mean "bake"?'),
        ("(qqq)", 'step 2 (qqq): unknown action "qqq"'),
        ("(wash)", 'step 2 (wash): action "wash" takes 1 argument, not 0'),
        ("(mix rye)", 'step 2 (mix rye): action "mix" takes 2 arguments, not 1'),
        ("(wash bowll)", 'step 2 (wash bowll): unknown object "bowll"; did you mean "bowl"?'),
        ("(wash bowl)", "step 2 (wash bowl): precondition (dirty bowl) does not hold"),
        (
            "(mix oven rye)",
            "step 2 (mix oven rye): preconditions (loaf oven), (bowl rye), (ordered oven) and 1 more do not hold",
        ),
        ("(bake rye oven)", "step 2 (bake rye oven): preconditions (inside rye oven), (hot oven) do not hold"),
    ],
)
def test_reasons(plan: str, reason: str) -> None:
    verdict = validate(example("bakery"), steps(f"(wash bowl)\n{plan}\n(nonsense)"))
    assert (verdict.valid, verdict.cost, verdict.unit_cost, verdict.step) == (False, 1, True, 2)
    assert verdict.reason == reason
    assert (verdict.action,) == steps(plan)
    assert verdict.state == tuple(sorted(verdict.state or ()))
    assert "(dirty bowl)" not in verdict.state
    for condition in verdict.conditions[:3]:
        assert condition in reason
        assert condition not in verdict.state
    assert bool(verdict.conditions) == ("condition" in reason)


def test_a_wrong_type() -> None:
    reason = judge(example("museum"), "(drive van hall attic)")
    assert reason == 'step 1 (drive van hall attic): object "hall" of type room cannot be ?p of type yard'
    assert "(at little-trolley attic)" in judge(example("museum"), "(push little-trolley attic hall)")


def test_a_cost_without_value() -> None:
    go = "(:functions (f ?x) - number (total-cost) - number)" + action(
        "(and (p ?x) (increase (total-cost) (f ?x)))", parameters="?x"
    )
    parsed = task(go, init="(= (f a) 4) (= (total-cost) 0)", metric="(:metric minimize (total-cost))")
    assert validate(parsed, steps("(go a)\n(go a)")).cost == 8
    assert judge(parsed, "(go b)") == "step 1 (go b): the cost (f b) has no value in the initial state"


def test_without_metric_every_step_costs_one() -> None:
    go = "(:functions (total-cost) - number)" + action("(and (p a) (increase (total-cost) 5))", parameters="")
    assert validate(task(go, objects="a"), steps("(go)\n(go)")) == Verdict(True, 2, True, None, "")


def test_with_metric_an_action_without_increase_is_free() -> None:
    go = "(:functions (total-cost) - number)" + action("(p ?x)", parameters="?x")
    parsed = task(go, init="(= (total-cost) 0)", metric="(:metric minimize (total-cost))")
    assert validate(parsed, steps("(go a)\n(go b)")) == Verdict(True, 0, False, None, "")


# ---- which part of a condition fails


@pytest.mark.parametrize(
    ("goal", "failing"),
    [
        ("(and (p a) (and (p b) (p a)))", "(p b)"),
        ("(not (p a))", "(not (p a))"),
        ("(not (not (q a)))", "(q a)"),
        ("(not (or (q b) (p a)))", "(not (p a))"),
        ("(or (q a) (and (p b) (p c)))", "(or (q a) (and (p b) (p c)))"),
        ("(imply (p a) (q a))", "(imply (p a) (q a))"),
        ("(not (imply (p a) (p a)))", "(not (p a))"),
        ("(exists (?x - t ?y) (r ?x ?y))", "(exists (?x - t ?y) (r ?x ?y))"),
        ("(forall (?x) (and (p ?x) (= ?x ?x)))", "(p b)"),
        ("(forall (?x ?y) (imply (p ?x) (= ?x ?y)))", "(imply (p a) (= a b))"),
        ("(forall (?x) (exists (?y) (or (p ?x) (r ?x ?y))))", "(exists (?y) (or (p b) (r b ?y)))"),
        ("(not (exists (?x) (and (p ?x) (p a))))", "(not (and (p a) (p a)))"),
        ("(and (= a b) (not (= a a)))", "(= a b), (not (= a a))"),
        ("(and (not (p a)) (exists (?x) (q ?x)) (or (exists (?x) (q ?x)) (q a)))",
         "(not (p a)), (exists (?x) (q ?x)), (or (exists (?x) (q ?x)) (q a))"),
        ("(or)", "(or)"),
    ],
)  # fmt: skip
def test_the_smallest_failing_part_is_named(goal: str, failing: str) -> None:
    several = ", " in failing
    expected = f"goal{'s' * several} {failing} {'do' if several else 'does'} not hold after the last step"
    assert judge(task("", init="(p a)", goal=goal), "") == expected


def test_a_precondition_is_shown_with_its_arguments() -> None:
    go = action("(p ?x)", "(forall (?y) (imply (r ?x ?y) (q ?y)))", "?x")
    reason = judge(task(go, init="(r b a) (r b c) (q a)"), "(go a)\n(go b)")
    assert reason == "step 2 (go b): precondition (imply (r b c) (q c)) does not hold"


# ---- effects


def test_an_atom_that_is_added_and_deleted_is_true() -> None:
    assert judge(task(action("(and (p a) (not (p a)))"), goal="(p a)")) == ""
    assert judge(task(action("(and (not (p a)) (p a))"), init="(p a)", goal="(p a)")) == ""
    assert judge(task(action("(and (p ?x) (not (p ?y)))", parameters="?x ?y"), goal="(p a)"), "(go a a)") == ""


def test_conditions_of_effects_are_read_in_the_old_state() -> None:
    effect = "(and (q a) (when (p a) (not (p a))) (when (not (p a)) (p a)) (when (q a) (q b)))"
    assert judge(task(action(effect), init="(p a)", goal="(and (not (p a)) (q a) (not (q b)))")) == ""
    assert judge(task(action(effect), init="(p a)", goal="(and (p a) (q b))"), "(go)\n(go)") == ""


def test_universal_effects() -> None:
    effect = "(forall (?x ?y) (when (and (r ?x ?y) (not (p ?y))) (and (p ?y) (not (r ?x ?y)))))"
    parsed = task(
        action(effect), init="(r a b) (r a c) (r b b) (p c)", goal="(and (p b) (r a c) (not (r a b)) (not (r b b)))"
    )
    assert judge(parsed) == ""


def test_a_universal_effect_respects_types() -> None:
    effect = "(forall (?x - t) (when (p ?x) (q ?x)))"
    parsed = task(action(effect), init="(p a) (p b)", objects="a - t b", goal="(and (q a) (not (q b)))")
    assert judge(parsed) == ""


def test_a_quantified_variable_may_hide_a_parameter() -> None:
    effect = "(and (q ?x) (forall (?x) (when (exists (?y) (r ?x ?y)) (p ?x))))"
    go = action(effect, "(exists (?x) (r ?x a))", "?x ?y")
    goal = "(and (q c) (p b) (not (p c)) (not (q b)))"
    assert judge(task(go, init="(r b a)", goal=goal), "(go c c)") == ""


# ---- derived predicates

REACH = """(:derived (reach ?x ?y) (or (r ?x ?y) (exists (?z) (and (reach ?x ?z) (r ?z ?y)))))"""


def test_recursive_reachability_follows_the_state() -> None:
    sections = REACH + action("(not (r ?x ?y))", "(reach ?x ?y)", "?x ?y")
    parsed = task(sections, init="(r a b) (r b c)", goal="(and (reach a b) (not (reach a c)))")
    assert judge(parsed, "") == "goal (not (reach a c)) does not hold after the last step"
    assert judge(parsed, "(go b c)") == ""
    assert judge(parsed, "(go b c)\n(go a c)") == "step 2 (go a c): precondition (reach a c) does not hold"


def test_negation_reads_the_complete_stratum_below() -> None:
    rules = "(:derived (d ?x) (not (reach a ?x))) (:derived (e ?x) (exists (?y) (and (r ?y ?x) (not (d ?y)))))"
    init = "(r a b) (r b c) (r f g)"
    goal = "(and (d a) (not (d b)) (not (d c)) (d f) (d g) (not (e b)) (e c) (not (e g)))"
    assert judge(task(rules + REACH, init=init, goal=goal, objects="a b c f g"), "") == ""


def test_recursion_below_a_universal_quantifier() -> None:
    """A position is won if every answer leads to a position that is won."""
    sections = "(:derived (d ?x) (or (p ?x) (and (q ?x) (forall (?y) (imply (r ?x ?y) (d ?y))))))"
    init = "(p a) (q b) (r b a) (q c) (r c a) (r c b) (q e1) (r e1 f1) (q f1) (r f1 e1) (r f1 a)"
    goal = "(and (d a) (d b) (d c) (not (d e1)) (not (d f1)))"
    assert judge(task(sections, init=init, goal=goal, objects="a b c e1 f1"), "") == ""


def test_effects_may_read_derived_predicates() -> None:
    sections = REACH + action("(forall (?x) (when (reach a ?x) (not (r a ?x))))")
    assert judge(task(sections, init="(r a b) (r b c)", goal="(not (exists (?x) (reach a ?x)))")) == ""


def test_rules_that_are_not_stratified_are_refused() -> None:
    with pytest.raises(PddlError, match=r'domain:2:.*"[de]" depends on its own negation'):
        validate(task("(:derived (d ?x) (not (e ?x))) (:derived (e ?x) (and (p ?x) (d ?x)))"), ())


# ---- size


@pytest.mark.parametrize(
    ("outer", "levels"),
    [
        ("(not {})", 240),
        ("(and (p a) {})", 240),
        ("(exists (?x) (and (p ?x) {}))", 120),
        ("(forall (?x) (imply (p ?x) {}))", 120),
    ],
)
def test_a_deep_formula(outer: str, levels: int) -> None:
    goal = "(p a)"
    for _ in range(levels):
        goal = outer.format(goal)
    assert judge(task("", init="(p a)", goal=goal), "") == ""
    assert judge(task("", init="(p a)", goal=goal.replace("(p a)", "(q a)")), "") != ""


def test_a_long_plan_on_many_objects_is_replayed_quickly() -> None:
    count = 1000
    objects = " ".join(f"o{i}" for i in range(count))
    init = " ".join(f"(r o{i} o{i + 1}) (r o{i + 1} o{i})" for i in range(count - 1)) + "(p o0)"
    effect = """(and (not (p ?x)) (p ?y) (q ?y)
      (forall (?u ?v) (when (and (r ?u ?v) (p ?u) (not (q ?v))) (r ?v ?v))))"""
    go = action(effect, "(and (p ?x) (r ?x ?y) (forall (?z) (imply (p ?z) (= ?z ?x))))", "?x ?y")
    parsed = task(go, init=init, objects=objects, goal="(and (p o0) (forall (?z) (or (q ?z) (= ?z o999))))")
    there = [Step("go", (f"o{i}", f"o{i + 1}")) for i in range(count - 2)]
    back = [Step("go", (f"o{i + 1}", f"o{i}")) for i in reversed(range(count - 2))]
    begin = time.process_time()
    assert validate(parsed, (*there, *back, *there, *back)).reason == ""
    assert time.process_time() - begin < 2


def test_recursive_rules_on_many_objects_are_computed_quickly() -> None:
    count = 400
    objects = " ".join(f"o{i}" for i in range(count))
    init = " ".join(f"(r o{i} o{i + 1})" for i in range(count - 1)) + "(p o0)"
    rule = "(:derived (d ?x) (or (p ?x) (exists (?y) (and (d ?y) (r ?y ?x)))))"
    go = action("(not (r ?x ?y))", "(d ?y)", "?x ?y")
    parsed = task(rule + go, init=init, objects=objects, goal="(not (d o1))")
    plan = [Step("go", (f"o{i - 1}", f"o{i}")) for i in reversed(range(1, count))]
    begin = time.process_time()
    assert validate(parsed, plan).reason == ""
    assert time.process_time() - begin < 5


@pytest.mark.parametrize(
    ("error", "end"),
    [(LimitReached("time-limit"), "time-limit"), (MemoryError(), "memory-limit"), (KeyboardInterrupt(), "interrupted")],
)
def test_a_plan_is_not_lost_if_its_validation_is_cut_off(
    error: BaseException, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_off(*_: object) -> None:
        raise error

    monkeypatch.setattr("banditplan.validation.validate", cut_off)
    result = bp.solve(*bp.example("crates"))
    assert result.plan
    assert (result.status, result.end, result.valid) == ("solved", end, None)
    assert "not validated" in result.explanation
