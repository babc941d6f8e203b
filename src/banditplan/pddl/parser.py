"""Two texts to a checked task: `parse` is all that a planner needs."""

from __future__ import annotations

from banditplan.checks import unchecked
from banditplan.errors import PddlError
from banditplan.pddl.domain import read_domain
from banditplan.pddl.faults import Enough, Fault, Faults, located
from banditplan.pddl.problem import read_problem
from banditplan.pddl.requirements import flag_warnings, read_requirements, use_warnings
from banditplan.pddl.sections import read_define
from banditplan.pddl.syntax import Parsed
from banditplan.pddl.tokens import read_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from banditplan.checks import Check
    from banditplan.errors import Source
    from banditplan.pddl.sections import Define
    from banditplan.pddl.syntax import Domain
    from banditplan.pddl.tokens import Tree

    T = TypeVar("T")


def parse(domain: Source, problem: Source, check: Check = unchecked) -> Parsed:
    """Read a domain and a problem of it; raises PddlError, with the first faults of both."""
    return _without_faults((domain, problem), lambda trees, faults: _read(trees[0], trees[1], check, faults), check)


def parse_domain(domain: Source, check: Check = unchecked) -> Domain:
    """Read a domain alone; raises PddlError, with its first faults."""

    def read(trees: Sequence[Tree], faults: Faults) -> Domain:
        return read_domain(read_define(trees[0], "domain", faults), [], check, faults)[0]

    return _without_faults((domain,), read, check)


def _without_faults(sources: Sequence[Source], read: Callable[[Sequence[Tree], Faults], T], check: Check) -> T:
    trees = _trees(sources, check, exact=False)
    faults = Faults()
    result = _result(read, trees, faults)
    if not faults.found:
        assert result is not None
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


def _read(domain_tree: Tree, problem_tree: Tree, check: Check, faults: Faults) -> Parsed:
    domain_define = read_define(domain_tree, "domain", faults)
    problem_define = read_define(problem_tree, "problem", faults)
    domain_flags = _flags(domain_define, faults)
    problem_flags = _flags(problem_define, faults)
    domain_file, problem_file = domain_tree.source.name, problem_tree.source.name
    warnings: list[str] = []
    domain, names = read_domain(domain_define, warnings, check, faults)
    warnings += flag_warnings(domain_file, domain_flags) + use_warnings(domain_file, domain_flags, names.used)
    warnings += flag_warnings(problem_file, problem_flags)
    problem, problem_names = read_problem(problem_define, domain.name, names, warnings, check, faults)
    warnings += use_warnings(problem_file, domain_flags + problem_flags, problem_names.used - names.used)
    return Parsed(domain, problem, tuple(warnings))


def _flags(define: Define, faults: Faults) -> list[str]:
    flags: list[str] = []
    for node in define.all(":requirements"):
        with faults:
            flags += read_requirements(node)
    return flags
