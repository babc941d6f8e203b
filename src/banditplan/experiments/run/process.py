"""Processes and what is left of them: children that die with their parent, groups, descendants, memory.

Linux does all of it. Elsewhere process groups are what there is.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from contextlib import suppress

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_PAGE_KB = os.sysconf("SC_PAGE_SIZE") // 1024


def die_with(parent: int) -> None:
    """Let the operating system kill this process when the given parent, which has just forked it, ends."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before we could ask
        os._exit(1)


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parents have ended, so that none is lost."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def kill_group(leader: int) -> None:
    """Kill a process and all in its group."""
    for kill in (os.killpg, os.kill):  # the second for a process that is too young to have its group
        with suppress(ProcessLookupError, PermissionError):
            kill(leader, signal.SIGKILL)


def wait_for_group(leader: int) -> int:
    """Wait for a child, and end what it leaves in its group; returns how the child ended, as of waitpid."""
    if hasattr(os, "waitid"):  # as long as the child is not reaped, its number cannot be that of others
        os.waitid(os.P_PID, leader, os.WEXITED | os.WNOWAIT)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
    return os.waitpid(leader, 0)[1]


def kill_strays(spared: int | None) -> None:
    """Kill the children of this process but one, and what they leave to us when they die; wait for them."""
    while strays := [pid for pid in children(os.getpid()) if pid != spared]:
        for pid in strays:
            kill_group(pid)
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)


def children(pid: int) -> list[int]:
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(word) for word in file.read().split()]
    except OSError:  # it has ended, or this is not Linux
        return []


def resident_kb(pid: int) -> int:
    """The memory of a process and its descendants."""
    total = 0
    waiting = [pid]
    while waiting:
        pid = waiting.pop()
        with suppress(OSError), open(f"/proc/{pid}/statm", encoding="ascii") as file:
            total += int(file.read().split()[1]) * _PAGE_KB
        waiting += children(pid)
    return total


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
