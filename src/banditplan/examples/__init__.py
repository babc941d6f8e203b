"""Small planning tasks that come with the package, one folder each: `domain.pddl` and `problem.pddl`."""

from __future__ import annotations

import os

from banditplan.errors import InputError

FOLDER = os.path.dirname(os.path.abspath(__file__))


def names() -> tuple[str, ...]:
    """The names of the examples, sorted."""
    return tuple(sorted(name for name in os.listdir(FOLDER) if os.path.isfile(_domain(name))))


def paths(name: str) -> tuple[str, str]:
    """The domain file and the problem file of an example."""
    if name not in names():
        from banditplan.pddl.faults import similar

        raise InputError(f'unknown example "{name}"{similar(name, names()) or "; there are " + ", ".join(names())}')
    return _domain(name), os.path.join(FOLDER, name, "problem.pddl")


def summary(name: str) -> str:
    """What an example shows, in one sentence: the first comment line of its domain."""
    with open(paths(name)[0], encoding="utf-8") as file:
        return file.readline().lstrip("; ").rstrip()


def _domain(name: str) -> str:
    return os.path.join(FOLDER, name, "domain.pddl")
