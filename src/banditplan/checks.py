"""Long work in Python looks up now and then: it calls a check, which raises where a limit is reached."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Check: TypeAlias = Callable[[], None]


def unchecked() -> None:
    """The check of work that nothing limits."""


def now_and_then(check: Check, every: int = 1024) -> Check:
    """A function that is cheap to call, and calls the check every so many times."""
    if check is unchecked:
        return check
    calls = 0

    def count() -> None:
        nonlocal calls
        calls += 1
        if calls == every:
            calls = 0
            check()

    return count
