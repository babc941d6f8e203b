"""A module in a process of its own, which looks for modules where this one does."""

from __future__ import annotations

import sys


def command(module: str, *arguments: str) -> tuple[str, ...]:
    """What runs the module. `python -m` would look in the current folder first, and in places of an installation; this
    process may have been told of others, and must not be answered by another version."""
    code = f"import sys; sys.path[:] = {sys.path!r}; import runpy; runpy.run_module({module!r}, run_name='__main__')"
    return sys.executable, "-c", code, *arguments
