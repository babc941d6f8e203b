"""One writer per ledger: a lock that the operating system takes back however its holder ends."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from banditplan.errors import InputError

FILE = "lock"


class Lock:
    """Held from its making until `release` or the end of the process; raises InputError if another holds it."""

    def __init__(self, folder: Path) -> None:
        path = folder / FILE
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(self._file, 100).decode(errors="replace").strip()
            os.close(self._file)
            raise InputError(
                f"{folder}: another run of this experiment is going on ({holder}); "
                "wait for it, end it, or choose another --out"
            ) from None
        os.ftruncate(self._file, 0)
        os.write(self._file, f"process {os.getpid()} on {os.uname().nodename}\n".encode())

    def release(self) -> None:
        os.close(self._file)
