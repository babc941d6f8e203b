"""Garbage collection, paused while a task is loaded."""

from __future__ import annotations

import gc
from _thread import allocate_lock

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
                gc.enable()
