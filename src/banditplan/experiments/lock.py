"""One writer per ledger: a lock that the operating system takes back however its holder ends."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

from banditplan.errors import InputError

FILE = "lock"

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        # One byte far behind the text, so that others can read the text.
        os.lseek(file, 1 << 20, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Lock:
    """Held from its making until `release` or the end of the process; raises InputError if another holds it."""

    def __init__(self, folder: Path) -> None:
        self._file = os.open(folder / FILE, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _lock(self._file)
        except (BlockingIOError, PermissionError):
            os.lseek(self._file, 0, os.SEEK_SET)
            holder = os.read(self._file, 100).decode(errors="replace").strip()
            os.close(self._file)
            raise InputError(
                f"{folder}: another run of this experiment is going on ({holder}); "
                "wait for it, end it, or choose another --out"
            ) from None
        os.ftruncate(self._file, 0)
        os.lseek(self._file, 0, os.SEEK_SET)
        os.write(self._file, f"process {os.getpid()} on {platform.node()}\n".encode())

    def release(self) -> None:
        os.close(self._file)
