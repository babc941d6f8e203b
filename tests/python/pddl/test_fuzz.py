"""Whatever the text, the parser gives a task or an InputError."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from banditplan.errors import InputError, Source
from banditplan.files import read_source
from banditplan.pddl.parser import parse
from banditplan.pddl.syntax import Parsed

DOMAIN = """(define (domain d) ; a comment
  (:requirements :adl :action-costs :derived-predicates)
  (:types truck plane - vehicle place - object depot - (either place vehicle))
  (:constants hub - place)
  (:predicates (at ?v - vehicle ?p - place) (free ?v) (linked ?a ?b - place) (done))
  (:functions (total-cost) - number (length ?a ?b - place) - number)
  (:derived (linked ?a ?b - place) (exists (?c - place) (and (at ?c ?a) (linked ?c ?b))))
  (:action drive
    :parameters (?v - truck ?from ?to - place)
    :precondition (and (at ?v ?from) (not (= ?from ?to)) (imply (free ?v) (or (done) (forall (?v) (free ?v)))))
    :effect (and (at ?v ?to) (not (at ?v ?from)) (when (done) (forall (?x - truck) (when (free ?x) (not (free ?x)))))
      (increase (total-cost) (length ?from ?to)) (increase (total-cost) 5)))
  (:action stop :parameters () :precondition () :effect (done)))
"""
PROBLEM = """(define (problem p)
  (:domain d)
  (:objects t - truck f - plane a b - place)
  (:init (at t a) (free t) (not (free f)) (= (length a b) 3) (= (total-cost) 0))
  (:goal (and (at t b) (exists (?x - vehicle) (at ?x b))))
  (:metric minimize (total-cost)))
"""
WORDS = [
    *(DOMAIN + PROBLEM).replace("(", " ").replace(")", " ").split(),
    *("(", ")", "()", "-", "?", ";", ":", "<", "+", "1", "-1", "2.5", "?x", "and", "at", "either", "object"),
    *("preference", ":durative-action", ":constraints", "assign"),
]
MANY = settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))


def survives(domain: str, problem: str) -> None:
    with suppress(InputError):
        assert isinstance(parse(Source("d.pddl", domain), Source("p.pddl", problem)), Parsed)


def mutated(text: str, choice: random.Random) -> str:
    """The text with a few tokens deleted, doubled, swapped, replaced or inserted."""
    tokens = text.replace("(", " ( ").replace(")", " ) ").split(" ")
    for _ in range(choice.randint(1, 4)):
        here, there = choice.randrange(len(tokens)), choice.randrange(len(tokens))
        kind = choice.randrange(6)
        if kind == 0:
            tokens[here] = ""
        elif kind == 1:
            tokens.insert(there, tokens[here])
        elif kind == 2:
            tokens[here], tokens[there] = tokens[there], tokens[here]
        elif kind == 3:
            tokens[here] = choice.choice(WORDS)
        elif kind == 4:
            tokens.insert(here, choice.choice("()"))
        else:
            tokens[here : here + choice.randint(1, 10)] = [chr(choice.randrange(0x250))]
    return " ".join(tokens)


@MANY
@given(st.text(), st.text())
def test_any_text(domain: str, problem: str) -> None:
    survives(domain, problem)
    survives(domain, PROBLEM)
    survives(DOMAIN, problem)


@MANY
@given(st.lists(st.sampled_from(WORDS), max_size=60))
def test_any_words(words: list[str]) -> None:
    text = " ".join(words)
    survives(f"(define (domain d) {text})", PROBLEM)
    survives(f"(define (domain d) (:predicates (p ?x)) (:action a :parameters (?x) :effect ({text})))", PROBLEM)
    survives(DOMAIN, f"(define (problem p) {text})")


@pytest.mark.slow
@MANY
@given(st.randoms(use_true_random=False))
def test_mutated_tasks(choice: random.Random) -> None:
    survives(mutated(DOMAIN, choice), PROBLEM)
    survives(DOMAIN, mutated(PROBLEM, choice))


@pytest.mark.slow
def test_many_mutated_tasks() -> None:
    choice = random.Random(1)
    for _ in range(1000):
        survives(mutated(DOMAIN, choice), mutated(PROBLEM, choice))


@MANY
@given(data=st.binary(max_size=200), begin=st.integers(0, len(PROBLEM)))
def test_any_bytes(tmp_path: Path, data: bytes, begin: int) -> None:
    text = PROBLEM.encode()
    path = tmp_path / "p.pddl"
    path.write_bytes(text[:begin] + data + text[begin + len(data) :])
    with suppress(InputError):
        survives(DOMAIN, read_source(str(path)).text)
