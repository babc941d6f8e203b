"""Runs that are cut off end at once, however much they hold; what they hold is freed."""

from __future__ import annotations

import gc
import sys
import threading
import time
import traceback
import weakref
from typing import TYPE_CHECKING, Any

import pytest
from puzzles import many_objects

from banditplan import _core, remains
from banditplan.errors import Source
from banditplan.journal import Journal
from banditplan.limits import LimitReached
from banditplan.pipeline import solve
from banditplan.settings import settings
from banditplan.task_input import from_pddl

if TYPE_CHECKING:
    from collections.abc import Callable

    from banditplan.result import Result
    from banditplan.statuses import Status

LATE = 0.1  # CPU seconds; as long as this may a run go on
OBJECTS = 320_000  # about 20 MB of text
MOMENTS = 6


class Thing:
    """Something that can be seen to go."""


def freed(thing: Thing) -> threading.Event:
    event = threading.Event()
    weakref.finalize(thing, event.set)
    return event


def test_what_only_the_items_hold_is_freed() -> None:
    thing = Thing()
    gone = freed(thing)
    items: list[object] = [{"a": [(thing, "b")]}, "c"]
    del thing
    remains.free_later(items)
    del items
    assert gone.wait(60)


def test_what_others_hold_stays() -> None:
    shared, alone = Thing(), Thing()
    inner = [shared]
    gone = freed(alone)
    items: list[object] = [[alone], inner, (inner,)]  # the last one first
    del alone
    remains.free_later(items)
    del items
    assert gone.wait(60)
    assert inner == [shared]


def test_a_thread_that_cannot_be_had_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(remains, "start_new_thread", refuse)
    thing = Thing()
    gone = freed(thing)
    items: list[object] = [thing]
    del thing
    remains.free_later(items)
    assert gone.is_set()


def test_functions_that_have_ended_give_away_what_they_held() -> None:
    seen: list[weakref.ref[Thing]] = []

    def fail() -> None:
        thing = Thing()
        seen.append(weakref.ref(thing))
        raise ValueError

    taken: list[object] = []
    mine = Thing()
    try:
        fail()
    except ValueError as error:
        taken = remains.taken_from(error.__traceback__)
    assert isinstance(mine, Thing)
    assert seen[0]() in taken
    assert mine not in taken
    taken.clear()
    assert seen[0]() is None


class Counted:
    """Limits that are reached at a certain check; they know how much CPU time has passed between two of them."""

    deadline = None
    memory_kb = None

    def __init__(self, last: int | None = None, status: Status = "time-limit") -> None:
        self._last = last
        self._status = status
        self.checks = 0
        self.longest = 0.0
        self.where = ""
        self.now = time.thread_time()

    def check(self) -> None:
        self.checks += 1
        passed = time.thread_time() - self.now
        if passed > self.longest:
            self.longest = passed
            self.where = "".join(traceback.format_stack(limit=4))
        self.now = time.thread_time()
        if self.checks == self._last:
            raise LimitReached(self._status)


def run(texts: tuple[str, str], limits: Counted, *, owns_process: bool = False) -> Result:
    journal = Journal(settings(search="gbfs", owns_process=owns_process))
    stands_in: Any = limits
    journal.limits = stands_in
    return solve(from_pddl(Source("domain", texts[0]), Source("problem", texts[1])), journal)


def unlooked(work: Callable[..., Any], limits: Counted) -> Callable[..., Any]:
    """The core looks at the clock by itself."""

    def wrapped(*given: Any, **named: Any) -> Any:
        try:
            return work(*given, **named)
        finally:
            limits.now = time.thread_time()

    return wrapped


@pytest.mark.slow
def test_large_texts_are_cut_off_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = many_objects(OBJECTS)
    assert len(texts[1]) > 20_000_000
    whole = Counted()
    with monkeypatch.context() as patch:
        patch.setattr(_core, "ground", unlooked(_core.ground, whole))
        assert run(texts, whole).status == "solved"
    assert whole.longest < LATE, whole.where
    for i in range(1, MOMENTS + 1):
        limits = Counted(whole.checks * i // (MOMENTS + 1))
        result = run(texts, limits)
        assert time.thread_time() - limits.now < LATE, (i, result.seconds)
        assert result.status == "time-limit"


def test_memory_that_is_short_is_freed_before_the_result_is_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    later: list[object] = []
    monkeypatch.setattr(remains, "free_later", later.append)
    texts = many_objects(20_000)
    run(texts, Counted(3, "memory-limit"))
    gc.collect()
    before = sys.getallocatedblocks()
    assert run(texts, Counted(20, "memory-limit")).status == "memory-limit"
    assert sys.getallocatedblocks() < before + 10_000
    assert not later
    assert run(texts, Counted(20)).status == "time-limit"
    assert len(later) == 1


def test_a_process_that_belongs_to_a_run_frees_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    later: list[object] = []
    monkeypatch.setattr(remains, "free_later", later.append)
    texts = many_objects(20_000)
    before = sys.getallocatedblocks()
    run(texts, Counted(20), owns_process=True)
    assert sys.getallocatedblocks() > before + 20_000
    assert not later
    monkeypatch.setattr("banditplan.journal._kept", None)
