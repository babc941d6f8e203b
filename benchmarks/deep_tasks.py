"""Generated tasks on which searches go deep, and on for ever: each has a fork, both of whose ends are wanted, though
only one of them can be reached. The delete relaxation does not see that before it is too late."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise, product

import banditplan as bp
from banditplan import _core

FORK = """
  (:action left :parameters () :precondition (undecided) :effect (and (not (undecided)) (left)))
  (:action right :parameters () :precondition (undecided) :effect (and (not (undecided)) (right)))"""


def task(predicates: str, actions: str, objects: Iterable[str], init: Iterable[str], goal: Iterable[str]) -> _core.Task:
    domain = f"""(define (domain deep) (:requirements :strips :negative-preconditions :conditional-effects)
  (:constants {" ".join(objects)})
  (:predicates (undecided) (left) (right) {predicates}){FORK}
  {actions})"""
    problem = f"""(define (problem deep) (:domain deep)
  (:init (undecided) {" ".join(init)}) (:goal (and (left) (right) {" ".join(goal)})))"""
    return bp.load(domain, problem)


def neighbours(side: int) -> list[tuple[str, str, str]]:
    """Pairs of fields of a square, with the direction."""
    ways = {"north": (0, -1), "south": (0, 1), "west": (-1, 0), "east": (1, 0)}
    fields = list(product(range(side), repeat=2))
    return [
        (f"f{x}-{y}", f"f{x + dx}-{y + dy}", way)
        for x, y in fields
        for way, (dx, dy) in ways.items()
        if (x + dx, y + dy) in set(fields)
    ]


def visit_all(side: int) -> _core.Task:
    """Every field of a square is to be visited."""
    fields = [f"f{x}-{y}" for x, y in product(range(side), repeat=2)]
    return task(
        "(at ?x) (next ?x ?y) (visited ?x)",
        """(:action move :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y))
    :effect (and (not (at ?x)) (at ?y) (visited ?y)))""",
        fields,
        ["(at f0-0)", "(visited f0-0)", *(f"(next {a} {b})" for a, b, _ in neighbours(side))],
        (f"(visited {field})" for field in fields),
    )


def corridor(length: int, balls: int) -> _core.Task:
    """Balls lie about in a corridor, and belong to its other end, one at a time."""
    cells = [f"c{i}" for i in range(length)]
    return task(
        "(at ?c) (next ?c ?d) (in ?b ?c) (free) (holds ?b) (ball ?b)",
        """(:action move :parameters (?c ?d) :precondition (and (at ?c) (next ?c ?d))
    :effect (and (not (at ?c)) (at ?d)))
  (:action take :parameters (?b ?c) :precondition (and (ball ?b) (at ?c) (in ?b ?c) (free))
    :effect (and (not (in ?b ?c)) (not (free)) (holds ?b)))
  (:action drop :parameters (?b ?c) :precondition (and (ball ?b) (at ?c) (holds ?b))
    :effect (and (in ?b ?c) (free) (not (holds ?b))))""",
        [*cells, *(f"b{i}" for i in range(balls))],
        [
            "(at c0)",
            "(free)",
            *(f"(next {a} {b}) (next {b} {a})" for a, b in pairwise(cells)),
            *(f"(ball b{i}) (in b{i} c{i * 7 % length})" for i in range(balls)),
        ],
        (f"(in b{i} c{length - 1 - i * 7 % length})" for i in range(balls)),
    )


def logistics(cities: int, packages: int) -> _core.Task:
    """Trucks in cities of three places, one aeroplane."""
    places = [f"p{c}-{i}" for c, i in product(range(cities), range(3))]
    roads = [f"(road p{c}-{i} p{c}-{j})" for c, i, j in product(range(cities), range(3), range(3)) if i != j]
    lines = [f"(line p{c}-0 p{d}-0)" for c, d in product(range(cities), repeat=2) if c != d]
    return task(
        "(at ?x ?p) (in ?x ?v) (road ?p ?q) (line ?p ?q) (truck ?v) (plane ?v) (package ?x) (vehicle ?v)",
        """(:action drive :parameters (?v ?p ?q) :precondition (and (truck ?v) (at ?v ?p) (road ?p ?q))
    :effect (and (not (at ?v ?p)) (at ?v ?q)))
  (:action fly :parameters (?v ?p ?q) :precondition (and (plane ?v) (at ?v ?p) (line ?p ?q))
    :effect (and (not (at ?v ?p)) (at ?v ?q)))
  (:action load :parameters (?x ?v ?p) :precondition (and (package ?x) (vehicle ?v) (at ?x ?p) (at ?v ?p))
    :effect (and (not (at ?x ?p)) (in ?x ?v)))
  (:action unload :parameters (?x ?v ?p) :precondition (and (package ?x) (in ?x ?v) (at ?v ?p))
    :effect (and (at ?x ?p) (not (in ?x ?v))))""",
        [*places, "plane", *(f"t{c}" for c in range(cities)), *(f"x{i}" for i in range(packages))],
        [
            *roads,
            *lines,
            "(plane plane) (vehicle plane) (at plane p0-0)",
            *(f"(truck t{c}) (vehicle t{c}) (at t{c} p{c}-0)" for c in range(cities)),
            *(f"(package x{i}) (at x{i} p{i % cities}-{1 + i % 2})" for i in range(packages)),
        ],
        (f"(at x{i} p{(i + 1) % cities}-{2 - i % 2})" for i in range(packages)),
    )


def rings(size: int) -> _core.Task:
    """A puzzle of two rings that share two places, each with pieces that turn together: rubik's cube, made flat."""
    first, second = [f"a{i}" for i in range(size)], [f"b{i}" for i in range(size - 2)]
    rounds = [first, [first[0], *second[: size // 2 - 1], first[size // 2], *second[size // 2 - 1 :]]]
    pieces = {place: f"x-{place}" for place in [*first, *second]}
    actions = []
    for number, (ring, way) in enumerate(product(rounds, (1, -1))):
        effects = " ".join(
            f"(when (on {piece} {place}) (and (not (on {piece} {place})) (on {piece} {ring[(i + way) % size]})))"
            for piece in pieces.values()
            for i, place in enumerate(ring)
        )
        actions.append(f"(:action turn{number} :parameters () :precondition () :effect (and {effects}))")
    wanted = list(pieces)[3:] + list(pieces)[:3]
    return task(
        "(on ?x ?p)",
        "\n  ".join(actions),
        [*pieces, *pieces.values()],
        (f"(on {piece} {place})" for place, piece in pieces.items()),
        (f"(on {piece} {place})" for piece, place in zip(pieces.values(), wanted, strict=True)),
    )


def ricochet(side: int, robots: int) -> _core.Task:
    """Robots on a square slide until something is in their way."""
    fields = [f"f{x}-{y}" for x, y in product(range(side), repeat=2)]
    ways = ("north", "south", "west", "east")
    links = neighbours(side)
    ends = [(field, way) for field in fields for way in ways if not any((a, w) == (field, way) for a, _, w in links)]
    return task(
        "(at ?r ?f) (full ?f) (next ?f ?g ?w) (edge ?f ?w) (idle) (slides ?r ?w) (robot ?r) (way ?w)",
        """(:action go :parameters (?r ?w) :precondition (and (robot ?r) (way ?w) (idle))
    :effect (and (not (idle)) (slides ?r ?w)))
  (:action slide :parameters (?r ?w ?f ?g)
    :precondition (and (robot ?r) (slides ?r ?w) (at ?r ?f) (next ?f ?g ?w) (not (full ?g)))
    :effect (and (not (at ?r ?f)) (at ?r ?g) (not (full ?f)) (full ?g)))
  (:action stop-at-edge :parameters (?r ?w ?f) :precondition (and (robot ?r) (slides ?r ?w) (at ?r ?f) (edge ?f ?w))
    :effect (and (not (slides ?r ?w)) (idle)))
  (:action stop-at-robot :parameters (?r ?w ?f ?g)
    :precondition (and (robot ?r) (slides ?r ?w) (at ?r ?f) (next ?f ?g ?w) (full ?g))
    :effect (and (not (slides ?r ?w)) (idle)))""",
        [*fields, *ways, *(f"r{i}" for i in range(robots))],
        [
            "(idle)",
            *(f"(way {way})" for way in ways),
            *(f"(next {a} {b} {way})" for a, b, way in links),
            *(f"(edge {field} {way})" for field, way in ends),
            *(f"(robot r{i}) (at r{i} f{i}-0) (full f{i}-0)" for i in range(robots)),
        ],
        (f"(at r{i} f{side // 2 + i % 3}-{side // 2 + i // 3})" for i in range(robots)),
    )


DEEP_TASKS: dict[str, Callable[[], _core.Task]] = {
    "visit-all": lambda: visit_all(20),
    "corridor": lambda: corridor(60, 12),
    "logistics": lambda: logistics(6, 14),
    "rings": lambda: rings(10),
    "ricochet": lambda: ricochet(10, 6),
}
