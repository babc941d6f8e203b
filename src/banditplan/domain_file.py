"""Which domain file belongs to a problem file, by the customs of benchmark collections."""

from __future__ import annotations

import os

from banditplan.errors import InputError


def find_domain(problem: str) -> str:
    """The domain file in the folder of the problem; raises InputError, saying where it looked."""
    if os.path.isdir(problem):
        raise InputError(f"{problem}: is a directory; name the problem file inside it")
    folder, name = os.path.split(problem)
    candidates = candidate_names(name)
    for candidate in candidates:
        path = os.path.join(folder, candidate)
        if candidate != name and os.path.isfile(path):
            return path
    if not os.path.exists(problem):
        raise InputError(f"{problem}: no such file")
    if is_domain(problem):
        raise InputError(f"{problem}: is a domain, and a task needs a problem, too: banditplan solve {problem} PROBLEM")
    raise InputError(
        f"{problem}: no domain file found beside it (looked for {', '.join(candidates)}); "
        "name it: banditplan solve DOMAIN PROBLEM"
    )


def is_domain(path: str) -> bool:
    """Whether the file begins as a domain does."""
    from banditplan.files import read_source
    from banditplan.pddl.tokens import read_tree

    try:
        root = read_tree(read_source(path)).root
    except InputError:
        return False
    define = root[0] if root else ()
    return len(define) > 1 and not isinstance(define[1], str) and define[1][:1] in (["domain"], ("domain",))


def candidate_names(problem: str) -> list[str]:
    """The names under which a problem's domain may lie beside it, the most specific first."""
    stem, extension = os.path.splitext(problem)
    extension = extension or ".pddl"
    number = stem[len(stem.rstrip("0123456789")) :]
    names = [f"{stem}-domain{extension}", f"{stem}_domain{extension}"]
    # p01-airport1-p1.pddl belongs to p01-domain.pddl
    head = stem.split("-")[0].split("_")[0]
    if head != stem:
        names.append(f"{head}-domain{extension}")
    names += [f"domain_{problem}", f"domain-{problem}"]
    if number:
        for shown in (number, number.lstrip("0") or "0"):
            names += [f"domain-{shown}{extension}", f"domain_{shown}{extension}", f"domain{shown}{extension}"]
    names.append(f"domain{extension}")
    if extension != ".pddl":
        names.append("domain.pddl")
    return list(dict.fromkeys(names))
