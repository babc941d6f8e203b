"""Two texts to a checked task: `parse` is all that other modules need."""

from __future__ import annotations

from banditplan.checks import unchecked
from banditplan.pddl.domain import read_domain
from banditplan.pddl.faults import Fault, located
from banditplan.pddl.problem import read_problem
from banditplan.pddl.requirements import flag_warnings, read_requirements, use_warnings
from banditplan.pddl.sections import read_define
from banditplan.pddl.syntax import Parsed
from banditplan.pddl.tokens import read_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan.checks import Check
    from banditplan.errors import Source
    from banditplan.pddl.sections import Define
    from banditplan.pddl.tokens import Tree


def parse(domain: Source, problem: Source, check: Check = unchecked) -> Parsed:
    """Read a domain and a problem of it; raises PddlError."""
    trees = read_tree(domain, check), read_tree(problem, check)
    try:
        return _read(*trees, check)
    except Fault as fault:
        error = located(fault, trees)
    if error is not None:
        raise error
    # Equal groups are one object, and this one is in several places: now that it matters, keep them apart.
    exact = read_tree(domain, check, exact=True), read_tree(problem, check, exact=True)
    try:
        return _read(*exact, check)
    except Fault as fault:
        error = located(fault, exact)
    assert error is not None
    raise error


def _read(domain_tree: Tree, problem_tree: Tree, check: Check) -> Parsed:
    domain_define = read_define(domain_tree, "domain")
    problem_define = read_define(problem_tree, "problem")
    domain_flags = _flags(domain_define)
    problem_flags = _flags(problem_define)
    domain_file, problem_file = domain_tree.source.name, problem_tree.source.name
    warnings: list[str] = []
    domain, names = read_domain(domain_define, warnings, check)
    warnings += flag_warnings(domain_file, domain_flags) + use_warnings(domain_file, domain_flags, names.used)
    warnings += flag_warnings(problem_file, problem_flags)
    problem, problem_names = read_problem(problem_define, domain.name, names, warnings, check)
    warnings += use_warnings(problem_file, domain_flags + problem_flags, problem_names.used - names.used)
    return Parsed(domain, problem, tuple(warnings))


def _flags(define: Define) -> list[str]:
    return [flag for node in define.all(":requirements") for flag in read_requirements(node)]
