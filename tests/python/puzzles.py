"""PDDL texts with known properties, built on the spot: (domain, problem)."""

from __future__ import annotations

from pathlib import Path

Texts = tuple[str, str]


def write(folder: Path, texts: Texts) -> tuple[str, str]:
    """Write `domain.pddl` and `problem.pddl`; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = folder / "domain.pddl", folder / "problem.pddl"
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return str(paths[0]), str(paths[1])


def sliding(rows: int, columns: int) -> Texts:
    """A sliding-tile puzzle with two tiles swapped: unsolvable, but only all (rows × columns)! / 2 states tell."""
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    names = [f"c{row}-{column}" for row, column in cells]
    adjacent = [
        f"(adjacent {names[i]} {names[j]})"
        for i, (row, column) in enumerate(cells)
        for j, (other_row, other_column) in enumerate(cells)
        if abs(row - other_row) + abs(column - other_column) == 1
    ]
    tiles = [f"t{number}" for number in range(1, len(cells))]
    start = [tiles[1], tiles[0], *tiles[2:]]
    domain = """
    (define (domain sliding)
      (:requirements :strips :typing)
      (:types tile cell)
      (:predicates (at ?t - tile ?c - cell) (blank ?c - cell) (adjacent ?a ?b - cell))
      (:action slide
        :parameters (?t - tile ?a ?b - cell)
        :precondition (and (at ?t ?a) (blank ?b) (adjacent ?a ?b))
        :effect (and (not (at ?t ?a)) (not (blank ?b)) (at ?t ?b) (blank ?a))))"""
    problem = f"""
    (define (problem swapped)
      (:domain sliding)
      (:objects {" ".join(tiles)} - tile {" ".join(names)} - cell)
      (:init (blank {names[-1]}) {" ".join(adjacent)} {_places(start, names)})
      (:goal (and {_places(tiles, names)})))"""
    return domain, problem


def _places(tiles: list[str], cells: list[str]) -> str:
    return " ".join(f"(at {tile} {cell})" for tile, cell in zip(tiles, cells, strict=False))


def endless_search() -> Texts:
    """Some 10^24 states: nobody sees the end of it."""
    return sliding(5, 5)


def endless_grounding(objects: int = 60) -> Texts:
    """One action with five parameters: 60 to the power of 5 ground actions, all of them reachable."""
    variables = " ".join(f"?x{i}" for i in range(5))
    seen = " ".join(f"(seen ?x{i})" for i in range(5))
    names = [f"o{i}" for i in range(objects)]
    domain = f"""
    (define (domain wide)
      (:predicates (seen ?x) (met {variables}))
      (:action meet :parameters ({variables}) :precondition (and {seen}) :effect (met {variables})))"""
    problem = f"""
    (define (problem wide)
      (:domain wide)
      (:objects {" ".join(names)})
      (:init {" ".join(f"(seen {name})" for name in names)})
      (:goal (met o1 o1 o1 o1 o1)))"""
    return domain, problem


def triples(objects: int = 45) -> Texts:
    """objects³ ground actions, two effects each, one of them conditional: parsing is nothing, all other stages are
    something.
    """
    names = [f"o{i}" for i in range(objects)]
    domain = """
    (define (domain triples)
      (:requirements :adl)
      (:predicates (lit ?x) (tied ?x ?y) (next ?x ?y))
      (:action tie
        :parameters (?x ?y ?z)
        :precondition (and (lit ?x) (tied ?x ?y) (not (tied ?y ?z)))
        :effect (and (tied ?y ?z) (not (tied ?x ?y)) (when (tied ?z ?x) (lit ?z)) (when (lit ?z) (not (lit ?x))))))"""
    problem = f"""
    (define (problem triples)
      (:domain triples)
      (:objects {" ".join(names)})
      (:init (lit o0) (tied o0 o1) (tied o0 o2) (tied o1 o0))
      (:goal (and {" ".join(f"(lit {name})" for name in names)})))"""
    return domain, problem


def long_text(atoms: int, *, repeat: int = 1, objects: int = 1100) -> Texts:
    """A one-step task whose initial state has many atoms, all of them written `repeat` times."""
    domain = """
    (define (domain long)
      (:requirements :strips)
      (:predicates (road ?x ?y) (done))
      (:action finish :parameters (?x ?y) :precondition (road ?x ?y) :effect (done)))"""
    names = [f"town{i}" for i in range(objects)]
    block = "\n".join(f"(road {names[i % objects]} {names[i // objects]})" for i in range(atoms))
    head = f"(define (problem long) (:domain long) (:objects {' '.join(names)}) (:init\n"
    return domain, head + f"{block}\n" * repeat + ") (:goal (done)))"


def many_objects(objects: int) -> Texts:
    """A one-step task with many objects, and as many initial facts, goals and actions."""
    domain = """
    (define (domain many)
      (:predicates (seen ?x) (marked ?x))
      (:action mark :parameters (?x) :precondition (seen ?x) :effect (marked ?x)))"""
    names = [f"object-number-{i}" for i in range(objects)]
    seen = "\n".join(f"(seen {name})" for name in names)
    problem = f"""
    (define (problem many)
      (:domain many)
      (:objects {" ".join(names)})
      (:init {seen})
      (:goal (and {seen} (marked {names[0]}))))"""
    return domain, problem
