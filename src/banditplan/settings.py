"""What a run is told before it begins: checked once, and never changed."""

from __future__ import annotations

from banditplan import _core
from banditplan.components import default_search
from banditplan.errors import InputError
from banditplan.frozen import frozen
from banditplan.limits import read_memory, read_seconds
from banditplan.split.split import MODES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from banditplan._core import LiveFeed, Search
    from banditplan.split.split import Mode

    Progress = Callable[[int, int, int | None], None]


@frozen
class Observer:
    """Who is told what while a run goes on.

    `progress(evaluations, expansions, best_h)` is called a few times a second, `stage(name)` when one begins,
    `warning(text)` for what is odd about the task; `accepted()` when its text has turned out to be good, before it is
    ground; `trace(text)` gets the record of the search at its end. A `feed` gets the states of the search as they come,
    for another thread.
    """

    progress: Progress | None = None
    stage: Callable[[str], None] | None = None
    warning: Callable[[str], None] | None = None
    accepted: Callable[[], None] | None = None
    trace: Callable[[str], None] | None = None
    feed: LiveFeed | None = None


NOBODY = Observer()


@frozen
class Grounding:
    """How a task is ground. `keep_irrelevant` keeps facts and actions, too, that do not matter for the goal;
    `replaceable` notes what was taken for granted of the initial state, so that another one can take its place."""

    prune_mutex: bool
    keep_irrelevant: bool
    replaceable: bool
    split: Mode


@frozen
class Settings:
    """A run that `owns_process` may use signals to end stages in Python at the deadline; others look at the clock now
    and then."""

    search: Search
    seed: int
    time_limit: float | None  # seconds
    memory_limit_kb: int | None
    max_evaluations: int | None
    max_expansions: int | None
    validate: bool
    shorten: bool
    grounding: Grounding
    owns_process: bool
    observer: Observer
    imports: dict[str, str]  # Python files that the search was read with: SHA-256 of each


def settings(
    *,
    search: Search | str | None = None,
    seed: int = 0,
    time_limit: float | str | None = None,
    memory_limit: int | str | None = None,
    max_evaluations: int | None = None,
    max_expansions: int | None = None,
    validate: bool = True,
    shorten: bool = True,
    prune_mutex: bool = True,
    keep_irrelevant: bool = False,
    replaceable: bool = False,
    split: Mode = "auto",
    owns_process: bool = False,
    observer: Observer = NOBODY,
    imports: dict[str, str] | None = None,
) -> Settings:
    """The settings that these values stand for; raises InputError for those that will not do."""
    return Settings(
        search=read_search(search),
        seed=_natural(seed, "seed", 0, 2**64 - 1),
        time_limit=None if time_limit is None else read_seconds(time_limit),
        memory_limit_kb=None if memory_limit is None else read_memory(memory_limit),
        max_evaluations=None if max_evaluations is None else _natural(max_evaluations, "max_evaluations", 1),
        max_expansions=None if max_expansions is None else _natural(max_expansions, "max_expansions", 1),
        validate=validate,
        shorten=shorten,
        grounding=Grounding(prune_mutex, keep_irrelevant, replaceable, _mode(split)),
        owns_process=owns_process,
        observer=observer,
        imports=imports or {},
    )


def read_search(search: Search | str | None) -> Search:
    """The search, or the one that the text describes, or what `solve` uses unless told otherwise."""
    if search is None:
        return default_search()
    if isinstance(search, str):
        from banditplan.components.spec import parse_search

        return parse_search(search)
    if not isinstance(search, _core.Search):
        raise InputError(f"search: expected a search or its text, not {search!r}")
    return search


def _mode(mode: Mode) -> Mode:
    if mode not in MODES:
        raise InputError(f"split: expected one of {', '.join(MODES)}, not {mode!r}")
    return mode


def _natural(value: int, what: str, least: int, most: int = 2**62) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InputError(f"{what}: expected a whole number from {least} to {most}, not {value!r}")
    return value
