"""What callers give: a path, or a text in PDDL; a `Domain` that was read before; a `Problem` without a text; a loaded
task. A text begins with a parenthesis or a comment, and a `pathlib.Path` is always a path."""

from __future__ import annotations

import os

from banditplan._core import Task
from banditplan.errors import InputError, Source
from banditplan.files import decoded, read_source
from banditplan.task_input import Input, from_pddl, from_read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from banditplan.problem import Domain, Problem

    Pddl: TypeAlias = str | os.PathLike[str]


def task_or_input(domain: Pddl | Domain | Task, problem: Pddl | Problem | None) -> Input | Task:
    """What `solve` takes."""
    if not isinstance(domain, Task):
        return input_of(domain, problem)
    if problem is not None:
        raise InputError("a loaded task already has its problem; give the task alone")
    return domain


def input_of(domain: Pddl | Domain, problem: Pddl | Problem | None) -> Input:
    """What `load` takes: a domain and a problem, in any form, or the path of a problem whose domain lies beside it."""
    if isinstance(domain, (str, os.PathLike)) and (problem is None or isinstance(problem, (str, os.PathLike))):
        return _input_of_texts(domain, problem)
    from banditplan.problem import Domain, Problem

    if problem is None:
        raise InputError("a domain alone says nothing about its problem; give both")
    known = domain if isinstance(domain, Domain) else Domain(domain)
    if isinstance(problem, Problem):
        return Input(
            known.source,
            problem.name,
            lambda check: known.read.parse_sections(problem.name, problem.sections, check),
            known.actions,
        )
    return from_read(known.source, known.read, path_or_text(problem, "problem"), known.actions)


def _input_of_texts(domain: Pddl, problem: Pddl | None) -> Input:
    if problem is not None:
        return from_pddl(path_or_text(domain, "domain"), path_or_text(problem, "problem"))
    alone = path_or_text(domain, "problem")
    if not isinstance(alone, str):
        raise InputError("the text of a problem alone says nothing about its domain; give both")
    from banditplan.domain_file import find_domain

    return from_pddl(find_domain(alone), alone)


def source_of(item: Pddl, what: str) -> Source:
    """The text that is given, or that is in the file; errors call it by its path, or by what it is."""
    found = path_or_text(item, what)
    return read_source(found) if isinstance(found, str) else found


def path_or_text(item: Pddl, what: str) -> str | Source:
    """A path, or a text under the name by which errors shall call it."""
    if not isinstance(item, (str, os.PathLike)):
        raise InputError(f"{what}: expected a path or a text in PDDL, not {item!r}")
    if isinstance(item, str) and item.lstrip("\ufeff \t\r\n").startswith(("(", ";")):
        return decoded(f"<{what}>", item.encode(errors="replace"))
    if isinstance(item, str) and "\n" in item:
        raise InputError(f"{what}: neither a path nor PDDL: a text begins with a parenthesis or a comment")
    return os.fspath(item)
