"""Costs up to 32 bits are exact, and beyond that they are bad input."""

from __future__ import annotations

import pytest

import banditplan as bp

MOST = 2**31 - 1


def task(*increases: str, metric: bool = True, value: int = MOST) -> tuple[str, str]:
    effects = " ".join(f"(increase (total-cost) {each})" for each in increases)
    domain = f"""(define (domain d) (:requirements :action-costs) (:predicates (p) (q))
      (:functions (total-cost) - number (f) - number)
      (:action a :effect (and (p) {effects})) (:action b :precondition (p) :effect (and (q) {effects})))"""
    minimize = "(:metric minimize (total-cost))" if metric else ""
    return domain, f"(define (problem x) (:domain d) (:init (= (total-cost) 0) (= (f) {value})) (:goal (q)) {minimize})"


@pytest.mark.parametrize("increases", [(str(MOST),), ("2000000000", "147483647"), ("(f)",), ("1", "(f)")])
@pytest.mark.parametrize("search", ["guct-normal2", "astar", "gbfs"])
def test_the_cost_of_a_plan_may_be_larger(increases: tuple[str, ...], search: str) -> None:
    result = bp.solve(*task(*increases, value=MOST - len(increases) + 1), search=search)
    assert (result.plan_length, result.plan_cost, result.valid) == (2, 2 * MOST, True)


@pytest.mark.parametrize("increases", [("2000000000", "2000000000"), ("(f)", "(f)"), ("1", "(f)")])
def test_the_cost_of_an_action_may_not(increases: tuple[str, ...]) -> None:
    with pytest.raises(bp.InputError, match=r"cost.*2147483647.*divide all costs"):
        bp.solve(*task(*increases))


def test_costs_that_do_not_count_may_be_anything() -> None:
    assert bp.solve(*task("2000000000", "2000000000", metric=False)).plan_cost == 2
