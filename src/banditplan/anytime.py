"""Anytime mode: plans that get cheaper and cheaper."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from banditplan.result import Result


class Plans:
    """An iterator over the results of an anytime search: each has a plan that is cheaper than the one before.

    `best` is the last of them, or None. `end` is None until the search has ended; then it is a result with the best
    plan, the counters of the whole search, and the reason: `end.optimal` if the best plan is proved to be optimal,
    `end.end` for the others.
    """

    def __init__(self, results: Iterator[Result]) -> None:
        self.best: Result | None = None
        self.end: Result | None = None
        self._results = results

    def __iter__(self) -> Plans:
        return self

    def __next__(self) -> Result:
        """The next plan; the search goes on only here. Raises KeyboardInterrupt if it is interrupted."""
        if self.end is not None:
            raise StopIteration
        result = next(self._results)
        if result.end == "solved":
            self.best = result
            return result
        self.end = result
        if result.end == "interrupted":
            raise KeyboardInterrupt
        raise StopIteration
