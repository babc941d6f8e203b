"""Long work in Python looks up now and then: it calls a check, which raises where a limit is reached."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeAlias, TypeVar

    Check: TypeAlias = Callable[[], None]
    T = TypeVar("T")

# So many small steps take a few milliseconds.
PORTION = 1 << 13


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


def portions(items: Sequence[T], check: Check) -> Iterator[Sequence[T]]:
    """A long sequence in parts, with a check before each: for loops that are too tight for one in every turn."""
    for begin in range(0, len(items), PORTION):
        check()
        yield items[begin : begin + PORTION]


def thin_out(items: list[Any] | dict[Any, Any], check: Check) -> None:
    """Let go of all but a portion of a container that nobody needs any more: freeing millions of objects takes time."""
    while len(items) > PORTION:
        check()
        if isinstance(items, list):
            del items[-PORTION:]
        else:
            for _ in range(PORTION):
                items.popitem()
