"""Several errors in one run: each of them true, at its place, and no more than ten."""

from __future__ import annotations

import pytest

import banditplan as bp
from banditplan.errors import PddlError, Source, UnsupportedError
from banditplan.pddl.faults import MOST_FAULTS
from banditplan.pddl.parser import parse

DOMAIN = """(define (domain d)
  (:predicates (p ?x) (q))
  (:action a :parameters (?x) :precondition (pp ?x) :effect (q ?x))
  (:action b :parameters (?x) :precondition (p ?x ?x) :effect (and (q)))
  (:action b :parameters () :effect (q))
  (:action c :parameters () :effect (when (q) (p ?x))))"""
PROBLEM = """(define (problem e) (:domain d) (:objects o)
  (:init (p oo) (q) (r) (p o))
  (:goal (and (p o) (s))))"""


def failure(domain: str, problem: str) -> PddlError:
    with pytest.raises(PddlError) as caught:
        parse(Source("d.pddl", domain), Source("p.pddl", problem))
    return caught.value


def test_all_that_can_be_told_is_told() -> None:
    error = failure(DOMAIN, PROBLEM)
    assert [(each.file, each.line, each.column, each.message) for each in (error, *error.others)] == [
        ("d.pddl", 3, 46, 'unknown predicate "pp"; did you mean "p"?'),
        ("d.pddl", 3, 64, '"q" takes 0 arguments, found 1; it is declared as (q)'),
        ("d.pddl", 4, 51, '"p" takes 1 argument, found 2; it is declared as (p ?x)'),
        ("d.pddl", 5, 12, 'action "b" is defined twice'),
        ("d.pddl", 6, 50, 'unknown variable "?x"'),
        ("p.pddl", 2, 13, 'unknown object "oo"; did you mean "o"?'),
        ("p.pddl", 2, 22, 'unknown predicate "r"; did you mean "or"?'),
        ("p.pddl", 3, 22, 'unknown predicate "s"'),
    ]
    assert str(error).count("^") == sum(len(each.excerpt.split("\n")[1].strip()) for each in (error, *error.others))


def test_each_text_is_read_for_its_parentheses() -> None:
    error = failure("(define (domain d)", "(define (problem p)))")
    assert [each.file for each in (error, *error.others)] == ["d.pddl", "p.pddl"]


def test_what_follows_from_a_missing_declaration_is_not_told() -> None:
    error = failure("(define (domain d) (:predicats (p)) (:action a :effect (p)))", PROBLEM)
    assert (error.message, error.others) == ('unknown section ":predicats"; did you mean ":predicates"?', ())
    error = failure("(define (domain d) (:predicates (p ?x - t) (q ?x - u)) (:action a :effect (p)))", PROBLEM)
    assert [each.message for each in (error, *error.others)] == ['unknown type "t"', 'unknown type "u"']


def test_ten_are_enough() -> None:
    many = " ".join(f"(r{number})" for number in range(100))
    error = failure("(define (domain d) (:predicates (p)))", f"(define (problem p) (:init {many}) (:goal (p)))")
    assert 1 + len(error.others) == MOST_FAULTS == 10
    assert [each.message for each in error.others][-1] == 'unknown predicate "r9"'


def test_equal_groups_are_told_apart() -> None:
    error = failure("(define (domain d) (:predicates (p)))", "(define (problem p)\n(:init (r)\n(r)) (:goal (p)))")
    assert [(each.line, each.message) for each in (error, *error.others)] == [
        (2, 'unknown predicate "r"; did you mean "or"?'),
        (3, 'unknown predicate "r"; did you mean "or"?'),
    ]


def test_the_first_error_tells_of_what_kind_it_is() -> None:
    actions = "(:action a :precondition (< 1 2)) (:action b :precondition (r))"
    assert isinstance(failure(f"(define (domain d) (:predicates (p)) {actions})", PROBLEM), UnsupportedError)


def test_check() -> None:
    found = bp.check(DOMAIN, PROBLEM)
    assert len(found) == 8
    assert {each.severity for each in found} == {"error"}
    assert bp.check(*bp.example("crates")) == ()
    assert len(bp.check(DOMAIN)) == 5
    (warning,) = bp.check(
        "(define (domain d) (:predicates (p)))", "(define (problem x) (:domain e) (:init) (:goal (p)))"
    )
    assert (warning.severity, warning.line) == ("warning", None)
    assert str(warning) == '<problem>: warning: the problem is for the domain "e", but the domain is "d"'
    typo = bp.check("(define (domain d) (:predicates (lit)) (:action a :effect (lti)))")[0]
    assert (typo.suggestion, typo.line, typo.column) == ('did you mean "lit"?', 1, 60)
