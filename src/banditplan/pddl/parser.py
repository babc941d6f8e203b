"""Texts to a checked task: `parse` is all that most other modules need."""

from __future__ import annotations

from banditplan.checks import unchecked
from banditplan.errors import InputError, Source
from banditplan.pddl.domain import read_domain
from banditplan.pddl.faults import Fault, located
from banditplan.pddl.problem import read_problem
from banditplan.pddl.requirements import flag_warnings, read_requirements, use_warnings
from banditplan.pddl.sections import Define, read_define
from banditplan.pddl.syntax import Parsed
from banditplan.pddl.tokens import Tree, read_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from banditplan.checks import Check
    from banditplan.pddl.names import Names
    from banditplan.pddl.syntax import Domain
    from banditplan.pddl.tokens import Item

    T = TypeVar("T")


def parse(domain: Source, problem: Source, check: Check = unchecked) -> Parsed:
    """Read a domain and a problem of it; raises PddlError."""
    return ReadDomain(domain, check).parse(problem, check)


class ReadDomain:
    """A domain, read once for any number of problems; raises PddlError."""

    def __init__(self, source: Source, check: Check = unchecked) -> None:
        def read(tree: Tree) -> tuple[Domain, Names, list[str], list[str]]:
            define = read_define(tree, "domain")
            flags = _flags(define)
            warnings: list[str] = []
            domain, names = read_domain(define, warnings, check)
            warnings += flag_warnings(source.name, flags) + use_warnings(source.name, flags, names.used)
            return domain, names, flags, warnings

        self.syntax, self._names, self._flags, self._warnings = _located(source, read, check)

    def parse(self, problem: Source, check: Check = unchecked) -> Parsed:
        """The domain with a problem of it."""

        def read(tree: Tree) -> Parsed:
            define = read_define(tree, "problem")
            flags = _flags(define)
            warnings = [*self._warnings, *flag_warnings(problem.name, flags)]
            syntax, names = read_problem(define, self.syntax.name, self._names, warnings, check)
            warnings += use_warnings(problem.name, self._flags + flags, names.used - self._names.used)
            return Parsed(self.syntax, syntax, tuple(warnings))

        return _located(problem, read, check)

    def parse_sections(self, name: str, sections: dict[str, list[Item]], check: Check = unchecked) -> Parsed:
        """The domain with a problem whose sections are given as groups, not as a text; raises InputError."""
        sections = {**sections, ":domain": [":domain", self.syntax.name]}
        define = Define(
            Tree(Source(f"<{name}>", ""), [], {}), [], name, {key: [(0, group)] for key, group in sections.items()}
        )
        warnings = [*self._warnings]
        try:
            syntax, _ = read_problem(define, self.syntax.name, self._names, warnings, check)
        except Fault as fault:
            raise InputError(f'problem "{name}": {fault.message}') from None
        return Parsed(self.syntax, syntax, tuple(warnings))


def _located(source: Source, read: Callable[[Tree], T], check: Check) -> T:
    """What is read from the groups of a source; a fault becomes an error with its place."""
    tree = read_tree(source, check)
    try:
        return read(tree)
    except Fault as fault:
        error = located(fault, (tree,))
    if error is not None:
        raise error
    # Equal groups are one object, and this one is in several places: now that it matters, keep them apart.
    tree = read_tree(source, check, exact=True)
    try:
        return read(tree)
    except Fault as fault:
        error = located(fault, (tree,))
    assert error is not None
    raise error


def _flags(define: Define) -> list[str]:
    return [flag for node in define.all(":requirements") for flag in read_requirements(node)]
