"""Tasks with deep axioms, made here: reachability in a graph, and recursive definitions on top of each other."""

from __future__ import annotations

from random import Random

DOORS = """(define (domain doors)
  (:requirements :adl :derived-predicates)
  (:types place key)
  (:predicates (link ?a ?b - place) (open ?a ?b - place) (at ?a - place) (lies ?k - key ?a - place) (held ?k - key)
               (fits ?k - key ?a ?b - place) (near ?a - place) (joined ?a ?b - place))
  (:derived (joined ?a ?b - place) (or (open ?a ?b) (exists (?c - place) (and (joined ?a ?c) (open ?c ?b)))))
  (:derived (near ?a - place) (or (at ?a) (exists (?b - place) (and (at ?b) (joined ?b ?a)))))
  (:action go :parameters (?a ?b - place) :precondition (and (at ?a) (near ?b)) :effect (and (not (at ?a)) (at ?b)))
  (:action take :parameters (?k - key ?a - place) :precondition (and (at ?a) (lies ?k ?a))
    :effect (and (not (lies ?k ?a)) (held ?k)))
  (:action drop :parameters (?k - key ?a - place) :precondition (and (at ?a) (held ?k))
    :effect (and (not (held ?k)) (lies ?k ?a)))
  (:action unlock :parameters (?k - key ?a ?b - place)
    :precondition (and (at ?a) (held ?k) (fits ?k ?a ?b) (link ?a ?b) (not (open ?a ?b)))
    :effect (and (open ?a ?b) (open ?b ?a)))
  (:action lock :parameters (?k - key ?a ?b - place)
    :precondition (and (at ?a) (held ?k) (fits ?k ?a ?b) (open ?a ?b))
    :effect (and (not (open ?a ?b)) (not (open ?b ?a)))))
"""

TOWERS = """(define (domain towers)
  (:requirements :adl :derived-predicates)
  (:types block)
  (:predicates (on ?x ?y - block) (floor ?x - block) (goal-on ?x ?y - block) (goal-floor ?x - block)
               (rooted ?x - block) (above ?x ?y - block) (clear ?x - block) (placed ?x - block))
  (:derived (rooted ?x - block) (or (floor ?x) (exists (?y - block) (and (on ?x ?y) (rooted ?y)))))
  (:derived (above ?x ?y - block)
    (and (rooted ?y) (or (on ?x ?y) (exists (?z - block) (and (on ?x ?z) (above ?z ?y))))))
  (:derived (placed ?x - block)
    (or (and (goal-floor ?x) (floor ?x)) (exists (?y - block) (and (goal-on ?x ?y) (above ?x ?y) (placed ?y)))))
  (:action put :parameters (?x ?y ?z - block)
    :precondition (and (clear ?x) (on ?x ?y) (clear ?z) (rooted ?z) (not (= ?x ?z)))
    :effect (and (not (on ?x ?y)) (clear ?y) (on ?x ?z) (not (clear ?z))))
  (:action lift :parameters (?x ?y - block) :precondition (and (clear ?x) (on ?x ?y))
    :effect (and (not (on ?x ?y)) (clear ?y) (floor ?x)))
  (:action lower :parameters (?x ?z - block)
    :precondition (and (clear ?x) (floor ?x) (clear ?z) (rooted ?z) (not (= ?x ?z)))
    :effect (and (not (floor ?x)) (on ?x ?z) (not (clear ?z)))))
"""


def doors(places: int, keys: int, seed: int) -> tuple[str, str]:
    """Rooms in a tree with some doors more; most of them are locked, and the keys are anywhere."""
    random = Random(seed)
    names = [f"p{i}" for i in range(places)]
    links = [(names[random.randrange(max(0, i - 4), i)], names[i]) for i in range(1, places)]
    links += [(a, b) for a, b in (random.sample(names, 2) for _ in range(places // 3)) if (a, b) not in links]
    init = [f"(at {names[0]})"]
    for i, (a, b) in enumerate(links):
        init += [f"(link {a} {b})", f"(link {b} {a})"]
        key = f"k{i % keys}"
        init += [f"(fits {key} {a} {b})", f"(fits {key} {b} {a})"]
        if random.random() < 0.35:
            init += [f"(open {a} {b})", f"(open {b} {a})"]
    init += [f"(lies k{k} {names[random.randrange(1 + k)]})" for k in range(keys)]
    goal = [f"(lies k{k} {random.choice(names)})" for k in range(keys)]
    objects = f"{' '.join(names)} - place {' '.join(f'k{k}' for k in range(keys))} - key"
    return DOORS, _problem("doors", objects, init, goal)


def towers(blocks: int, seed: int) -> tuple[str, str]:
    """Towers to be built from others; derived are what stands, then what is above what, then what is in place."""
    random = Random(seed)
    names = [f"b{i}" for i in range(blocks)]
    init: list[str] = []
    for on, floor in (("on", "floor"), ("goal-on", "goal-floor")):
        order = random.sample(names, blocks)
        for below, block in zip([None, *order], order, strict=False):
            init.append(f"({floor} {block})" if below is None or random.random() < 0.2 else f"({on} {block} {below})")
    init += [
        f"(clear {name})" for name in names if not any(fact.endswith(f" {name})") and "(on" in fact for fact in init)
    ]
    goal = [f"(placed {name})" for name in names]
    return TOWERS, _problem("towers", f"{' '.join(names)} - block", init, goal)


def _problem(domain: str, objects: str, init: list[str], goal: list[str]) -> str:
    return (
        f"(define (problem made) (:domain {domain}) (:objects {objects})\n"
        f"  (:init {' '.join(init)})\n  (:goal (and {' '.join(goal)})))\n"
    )


# Name → domain and problem.
TASKS = {
    "made/doors-16": doors(16, 12, 3),
    "made/doors-20": doors(20, 10, 1),
    "made/doors-26": doors(26, 14, 2),
    "made/towers-12": towers(12, 5),
    "made/towers-14": towers(14, 6),
    "made/towers-16": towers(16, 4),
}
