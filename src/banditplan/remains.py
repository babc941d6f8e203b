"""What is left of a run that was cut off: freeing millions of objects takes some of the time that making them took.

Nobody waits for that: a thread frees one object after the other, while the result is on its way.
"""

from __future__ import annotations

from _thread import start_new_thread
from gc import get_referents
from sys import getrefcount
from time import sleep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType


def taken_from(traceback: TracebackType | None) -> list[object]:
    """What functions held that an exception has ended; it is taken from them."""
    items: list[object] = []
    while traceback is not None:
        frame = traceback.tb_frame
        held = get_referents(frame)
        try:
            frame.clear()
        except RuntimeError:
            pass  # it goes on, with what it holds
        else:
            items += held
        traceback = traceback.tb_next
    return items


def free_later(items: list[object]) -> None:
    """Free the items, unless somebody else holds them, in a thread of its own."""
    try:
        start_new_thread(_free, (items,))
    except RuntimeError:  # no threads are to be had
        items.clear()


def _free(items: list[object]) -> None:
    """Free what nobody else holds, what only that holds, and so on: one container after the other, never a whole tree,
    so that other threads have their turns."""
    items.append(object())
    item = items.pop()
    alone = getrefcount(item)
    turn = 0
    try:
        while items:
            item = items.pop()
            if getrefcount(item) == alone:
                items += get_referents(item)
            turn += 1
            if not turn & 1023:
                sleep(0)
    except MemoryError:
        pass  # the rest goes at once
