"""Two texts to a checked task: `parse` is all that a planner needs."""

from __future__ import annotations

from banditplan.checks import unchecked
from banditplan.errors import InputError, PddlError, Source
from banditplan.pddl.domain import read_domain
from banditplan.pddl.faults import Enough, Fault, Faults, located
from banditplan.pddl.problem import read_problem
from banditplan.pddl.requirements import flag_warnings, read_requirements, use_warnings
from banditplan.pddl.sections import Define, read_define
from banditplan.pddl.syntax import Parsed
from banditplan.pddl.tokens import Tree, read_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from banditplan.checks import Check
    from banditplan.pddl.tokens import Item

    T = TypeVar("T")


def parse(domain: Source, problem: Source, check: Check = unchecked) -> Parsed:
    """Read a domain and a problem of it; raises PddlError, with the first faults of both."""
    return _without_faults((domain, problem), lambda trees, faults: _read(trees[0], trees[1], check, faults), check)


def read_once(domain: Source, check: Check = unchecked) -> ReadDomain:
    """Read a domain alone; raises PddlError, with its first faults."""

    def read(trees: Sequence[Tree], faults: Faults) -> ReadDomain:
        define = read_define(trees[0], "domain", faults)
        return ReadDomain(define, _flags(define, faults), check, faults)

    return _without_faults((domain,), read, check)


def _without_faults(sources: Sequence[Source], read: Callable[[Sequence[Tree], Faults], T], check: Check) -> T:
    trees = _trees(sources, check, exact=False)
    faults = Faults()
    result = _result(read, trees, faults)
    if not faults.found:
        assert result is not None
        for tree in trees:
            tree.let_go(check)
        return result
    errors = [located(fault, trees) for fault in faults.found]
    if None in errors:
        # Equal groups are one object, and one is in several places: now that it matters, keep them apart.
        trees, faults = _trees(sources, check, exact=True), Faults()
        _result(read, trees, faults)
        errors = [located(fault, trees) for fault in faults.found]
    raise _together([error for error in errors if error is not None])


def _result(read: Callable[[Sequence[Tree], Faults], T], trees: Sequence[Tree], faults: Faults) -> T | None:
    try:
        return read(trees, faults)
    except Fault as fault:
        faults.found.append(fault)
    except Enough:
        pass
    return None


def _trees(sources: Sequence[Source], check: Check, *, exact: bool) -> list[Tree]:
    trees: list[Tree] = []
    errors: list[PddlError] = []
    for source in sources:
        try:
            trees.append(read_tree(source, check, exact=exact))
        except PddlError as error:
            errors.append(error)
    if errors:
        raise _together(errors)
    return trees


def _together(errors: list[PddlError]) -> PddlError:
    """The first one, with the others, each of them once."""
    first, *others = {str(error): error for error in errors}.values()
    first.others = tuple(others)
    return first


class ReadDomain:
    """A domain that was read once, for any number of problems."""

    def __init__(self, define: Define, flags: list[str], check: Check, faults: Faults) -> None:
        file = define.tree.source.name
        warnings: list[str] = []
        self.syntax, self._names = read_domain(define, warnings, check, faults)
        self._flags = flags
        self._warnings = warnings + flag_warnings(file, flags) + use_warnings(file, flags, self._names.used)

    def parse(self, problem: Source, check: Check = unchecked) -> Parsed:
        """The domain with a problem of it; raises PddlError."""

        def read(trees: Sequence[Tree], faults: Faults) -> Parsed:
            define = read_define(trees[0], "problem", faults)
            return self.with_problem(define, _flags(define, faults), check, faults)

        return _without_faults((problem,), read, check)

    def parse_sections(self, name: str, sections: dict[str, list[Item]], check: Check = unchecked) -> Parsed:
        """The domain with a problem whose sections are given as groups, not as a text; raises InputError."""
        sections = {**sections, ":domain": [":domain", self.syntax.name]}
        tree = Tree(Source(f"<{name}>", ""), [], {})
        define = Define(tree, [], name, {key: [(0, group)] for key, group in sections.items()})
        faults = Faults()
        parsed = _result(lambda _, found: self.with_problem(define, [], check, found), (), faults)
        if faults.found or parsed is None:
            raise InputError(f'problem "{name}": {faults.found[0].message}')
        return parsed

    def with_problem(self, define: Define, flags: list[str], check: Check, faults: Faults) -> Parsed:
        file = define.tree.source.name
        warnings = [*self._warnings, *flag_warnings(file, flags)]
        problem, names = read_problem(define, self.syntax.name, self._names, warnings, check, faults)
        warnings += use_warnings(file, self._flags + flags, names.used - self._names.used)
        return Parsed(self.syntax, problem, tuple(warnings))


def _read(domain_tree: Tree, problem_tree: Tree, check: Check, faults: Faults) -> Parsed:
    domain_define = read_define(domain_tree, "domain", faults)
    problem_define = read_define(problem_tree, "problem", faults)
    domain_flags = _flags(domain_define, faults)
    problem_flags = _flags(problem_define, faults)
    domain = ReadDomain(domain_define, domain_flags, check, faults)
    return domain.with_problem(problem_define, problem_flags, check, faults)


def _flags(define: Define, faults: Faults) -> list[str]:
    flags: list[str] = []
    for node in define.all(":requirements"):
        with faults:
            flags += read_requirements(node)
    return flags
