"""Optional dependencies: what is raised where one is missing."""

from __future__ import annotations

from banditplan.pddl.errors import InputError


class MissingExtra(InputError, ImportError):
    """A library that only some features need is not installed; `package` is what to install."""

    def __init__(self, what: str, library: str, package: str) -> None:
        super().__init__(f"{what} needs {library}, which is not installed; run: pip install '{package}'")
