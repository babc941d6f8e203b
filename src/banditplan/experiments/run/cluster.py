"""Slots on a dask cluster: each thread of each worker is one.

The ledger stays with the process that submits. A run goes to a slot that has its task, and if the worker dies, to
another worker.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from concurrent.futures import CancelledError
from contextlib import suppress
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

from banditplan.components.python_file import PythonFile
from banditplan.errors import InputError, MissingExtra
from banditplan.experiments.run.cluster_worker import Campaign, release, run_job
from banditplan.experiments.run.job import Answer, Job

CONNECT_SECONDS = 5.0
PATIENCE = 60.0  # seconds without any worker after which we give up
CENSUS = 1.0  # seconds between two looks at which workers there are


class ClusterError(InputError):
    """The cluster cannot be used, or no longer."""


class ClusterSlots:
    """The slots of all workers that are there; workers may come and go."""

    def __init__(self, address: str, code: tuple[PythonFile, ...]) -> None:
        self._address = address
        self._campaign = Campaign(uuid.uuid4().hex, code)
        self._client = _connected(address)
        self._numbers: dict[tuple[str, int], int] = {}  # worker and thread → slot
        self._workers: dict[int, str] = {}
        self._present: list[int] = []
        self._census = -CENSUS
        self._pending: dict[Any, tuple[int, int]] = {}  # future → slot, job
        self._done: SimpleQueue[Any] = SimpleQueue()
        self._last_worker = monotonic()

    def slots(self) -> list[int]:
        """The slots of the workers that the scheduler knows."""
        now = monotonic()
        if now - self._census >= CENSUS:
            self._census = now
            threads: dict[str, int] = self._asked(self._client.nthreads)
            self._present = [self._slot(worker, i) for worker, count in threads.items() for i in range(count)]
        if self._present:
            self._last_worker = now
        elif now - self._last_worker > PATIENCE:
            raise self._lost(f"no worker for {PATIENCE:.0f} s")
        return self._present

    def submit(self, slot: int, job: Job) -> None:
        future = self._asked(
            lambda: self._client.submit(
                run_job, job, self._campaign, workers=[self._workers[slot]], allow_other_workers=True, pure=False
            )
        )
        self._pending[future] = (slot, job["id"])
        future.add_done_callback(self._done.put)

    def wait(self, seconds: float) -> list[Answer]:
        if self._client.status != "running":
            raise self._lost("the scheduler does not answer")
        try:
            futures = [self._done.get(timeout=seconds)]
        except Empty:
            return []
        while not self._done.empty():
            futures.append(self._done.get())
        return [self._answer(future) for future in futures]

    def close(self) -> None:
        """Drop what is still to be run, and end the processes that the workers keep for us."""
        with suppress(Exception):  # the cluster may be gone
            if self._client.status == "running":
                self._client.cancel(list(self._pending), force=True)
                self._client.run(release, self._campaign, on_error="ignore")
        with suppress(Exception):
            self._client.close(timeout=2)

    def _slot(self, worker: str, thread: int) -> int:
        number = self._numbers.setdefault((worker, thread), len(self._numbers))
        self._workers[number] = worker
        return number

    def _answer(self, future: Any) -> Answer:
        from distributed import KilledWorker

        slot, job = self._pending.pop(future)
        try:
            return Answer(slot, job, future.result(timeout=CONNECT_SECONDS))
        except KilledWorker:
            return Answer(slot, job, None)
        except (CancelledError, OSError, TimeoutError) as error:
            raise self._lost(str(error) or "the scheduler has dropped our runs") from None
        except Exception as error:
            raise self._lost(f"a worker cannot run: {type(error).__name__}: {error}") from None

    def _asked(self, question: Callable[[], Any]) -> Any:
        try:
            return question()
        except Exception as error:
            raise self._lost(str(error) or type(error).__name__) from None

    def _lost(self, reason: str) -> ClusterError:
        return ClusterError(
            f"cluster {self._address}: {reason}; nothing is lost but the runs under way: the same command goes on"
        )


def _connected(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise MissingExtra("--cluster", "dask.distributed", "banditplan[cluster]") from None
    try:
        return Client(address, timeout=CONNECT_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterError(
            f"cluster {address}: no scheduler answers there ({error}); "
            "start one with `dask scheduler` and name its address, such as tcp://head:8786"
        ) from None
