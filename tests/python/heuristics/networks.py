"""Random tasks without objects: deeper than small tasks with objects can be, and as small as one likes."""

from __future__ import annotations

from functools import cache
from random import Random

from random_tasks import PddlText

KINDS = ("plain", "negative", "conditional", "dear", "ruled")


@cache
def random_network(kind: str, seed: int, size: int = 12) -> PddlText:
    """A task with `size` atoms beyond those that hold at the start, in which later atoms tend to need earlier ones.

    `negative` has negative conditions, `conditional` these and conditional effects, `dear` costs (0 among them), and
    `ruled` derived predicates.
    """
    random = Random(f"{kind} {seed} {size}")
    start = [f"(p{i})" for i in range(3)]
    atoms = [*start, *(f"(p{i})" for i in range(3, 3 + size))]
    derived = [f"(d{i})" for i in range(3 if kind == "ruled" else 0)]

    def needs(below: int, most: int) -> str:
        """A condition on atoms that mostly come before that one."""
        usable = atoms[:below] if random.random() < 0.85 else atoms
        chosen = random.sample(usable, random.randint(0 if most < 2 else 1, most))
        if derived and random.random() < 0.3:
            chosen.append(random.choice(derived))
        signed = [
            f"(not {atom})" if kind in ("negative", "conditional") and random.random() < 0.15 else atom
            for atom in chosen
        ]
        return f"(and {' '.join(signed)})"

    actions = []
    for number in range(2 * size):
        target = random.randrange(len(start), len(atoms))
        effects = [atoms[target]]
        if random.random() < 0.5:
            effects.append(f"(not {random.choice([atom for atom in atoms if atom != atoms[target]])})")
        if kind == "conditional":
            effects += [f"(when {needs(len(atoms), 2)} {random.choice(atoms)})" for _ in range(random.randint(0, 2))]
        if kind == "dear":
            effects.append(f"(increase (total-cost) {random.choice((0, 0, 1, 2, 5))})")
        condition = needs(target, random.choice((1, 2, 2, 3)))
        actions.append(f"  (:action a{number}\n    :precondition {condition}\n    :effect (and {' '.join(effects)}))")
    rules = [f"  (:derived {random.choice(derived)} {needs(len(atoms), 2)})" for _ in range(2 * len(derived))]
    domain = [
        "(define (domain network)",
        "  (:requirements :adl :derived-predicates :action-costs)",
        f"  (:predicates {' '.join([*atoms, *derived])})",
        "  (:functions (total-cost))" if kind == "dear" else "",
        *rules,
        *actions,
        ")",
    ]
    goal = random.sample(atoms[len(atoms) // 2 :], random.randint(1, 4)) + derived[:1]
    problem = [
        "(define (problem network-1) (:domain network)",
        f"  (:init {' '.join(start)})",
        f"  (:goal (and {' '.join(goal)}))",
        "  (:metric minimize (total-cost))" if kind == "dear" else "",
        ")",
    ]
    return PddlText("\n".join(domain), "\n".join(problem))
