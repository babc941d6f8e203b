"""What a task is made from: two files, two texts, or a function that builds a syntax tree in memory; and how to load it
without garbage collection."""

from __future__ import annotations

import gc
from _thread import allocate_lock

from banditplan.files import read_source
from banditplan.frozen import frozen
from banditplan.pddl.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from banditplan.errors import Source
    from banditplan.normalize.actions import ReadyAction
    from banditplan.pddl.parser import ReadDomain
    from banditplan.pddl.syntax import Parsed
    from banditplan.settings import Grounding
    from banditplan.split.chain import Chain

    Check = Callable[[], None]


@frozen
class Input:
    """`parse` is given a function to call now and then, which raises where a limit is reached. `actions` are those of
    the domain, if they were normalised before."""

    domain: str
    problem: str
    parse: Callable[[Check], Parsed]
    actions: tuple[ReadyAction, ...] | None = None


@frozen
class Origin:
    """What a task was made from, and how long that took."""

    parsed: Parsed
    chains: tuple[Chain, ...]  # of actions that were split
    domain: str
    problem: str
    seconds: dict[str, float]
    grounding: Grounding
    complete: bool = True  # false: facts that do not matter for the goal may be other than the initial state says


def from_pddl(domain: str | Source, problem: str | Source) -> Input:
    """Two paths, whose files are read when the run begins, or texts."""

    return Input(_name(domain), _name(problem), lambda check: parse(_read(domain), _read(problem), check))


def from_read(name: str, domain: ReadDomain, problem: str | Source, actions: tuple[ReadyAction, ...]) -> Input:
    """A domain that was read and normalised before, and a problem of it."""
    return Input(name, _name(problem), lambda check: domain.parse(_read(problem), check), actions)


def _read(item: str | Source) -> Source:
    return read_source(item) if isinstance(item, str) else item


def _name(item: str | Source) -> str:
    return item if isinstance(item, str) else item.name


_lock = allocate_lock()
_pauses = 0
_was_enabled = False


class PausedCollection:
    """A large task makes millions of objects, none of them garbage: collections would double the time.

    Several threads may be in here: the first pauses, the last one resumes, if there was something to pause.
    """

    def __enter__(self) -> None:
        global _pauses, _was_enabled
        with _lock:
            if _pauses == 0:
                _was_enabled = gc.isenabled()
                gc.disable()
            _pauses += 1

    def __exit__(self, *_: object) -> None:
        global _pauses
        with _lock:
            _pauses -= 1
            if _pauses == 0 and _was_enabled:
                if gc.get_freeze_count() == 0:
                    gc.freeze()  # what was made meanwhile is old now: the next collection need not look at all of it
                    gc.unfreeze()
                gc.enable()
