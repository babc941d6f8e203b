"""The server's side of a child process: start it, hear it, end it with everything that it started."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from typing import TYPE_CHECKING

from banditplan.own_process import command

if TYPE_CHECKING:
    from banditplan.server.order import Order

LONGEST_LINE = 64 << 20  # bytes; a plan or a search report is one line


class Child:
    """A process of `banditplan.server.worker`, in a process group of its own."""

    def __init__(self, process: asyncio.subprocess.Process, order: Order) -> None:
        self._process = process
        self._feeding = asyncio.create_task(self._feed(json.dumps(order).encode()))

    @classmethod
    async def start(cls, order: Order) -> Child:
        process = await asyncio.create_subprocess_exec(
            *command("banditplan.server.worker", str(os.getpid())),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_LINE,
            start_new_session=True,
            cwd="/",  # modules are not looked for in the folder where the server happens to run
        )
        return cls(process, order)

    async def line(self) -> bytes:
        """The next line; empty when there are no more."""
        assert self._process.stdout is not None
        return await self._process.stdout.readline()

    def interrupt(self) -> None:
        """Ask for what has been reached so far."""
        self._signal(signal.SIGINT)

    def kill(self) -> None:
        self._signal(signal.SIGKILL)

    async def gone(self) -> int:
        """Wait for the end; the exit code, or the negative signal."""
        self._feeding.cancel()
        await asyncio.gather(self._feeding, return_exceptions=True)
        return await self._process.wait()

    def _signal(self, number: int) -> None:
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)

    async def _feed(self, data: bytes) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it has ended; its exit code tells
            stdin.write(data)
            await stdin.drain()
        stdin.close()
