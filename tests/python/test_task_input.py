"""Garbage collection is paused while a task is loaded, and goes on after it."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest

import banditplan as bp
from banditplan.task_input import PausedCollection


@pytest.fixture(autouse=True)
def _collecting() -> Iterator[None]:
    gc.enable()
    yield
    gc.enable()


def test_it_is_paused_inside_and_goes_on_outside() -> None:
    with PausedCollection():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(bp.InputError):
        bp.load("nowhere.pddl", "nowhere.pddl")
    assert gc.isenabled()


def test_it_stays_off_for_who_has_turned_it_off() -> None:
    gc.disable()
    bp.load(*bp.example("crates"))
    assert not gc.isenabled()


def test_what_was_made_meanwhile_is_no_work_for_the_next_collection() -> None:
    with PausedCollection():
        made: list[list[object]] = [[] for _ in range(100_000)]
    assert gc.get_count()[0] < 100_000
    assert not any(item is made[0] for item in gc.get_objects(generation=0))


def test_what_others_have_frozen_stays_frozen() -> None:
    gc.freeze()
    try:
        with PausedCollection():
            pass
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()


def test_threads_that_overlap_leave_it_on() -> None:
    """The first one in is the first one out: it must neither resume for the other nor leave it off for good."""
    inside, outside = threading.Event(), threading.Event()

    def first() -> None:
        with PausedCollection():
            inside.set()
            outside.wait()

    thread = threading.Thread(target=first)
    thread.start()
    inside.wait()
    with PausedCollection():
        outside.set()
        thread.join()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_threads_that_load_leave_it_on() -> None:
    def load() -> None:
        for _ in range(5):
            bp.load(*bp.example("crates"))

    threads = [threading.Thread(target=load) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert gc.isenabled()
