"""Ctrl-C and the clock, at any moment of a run: in CPU seconds, so that a busy machine does not matter."""

from __future__ import annotations

import signal
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from puzzles import triples

from banditplan.journal import Journal
from banditplan.pipeline import solve
from banditplan.settings import settings
from banditplan.task_input import from_pddl

if TYPE_CHECKING:
    from types import FrameType

    from banditplan.result import Result

MOMENTS = 20
LATE = 0.1  # seconds; as long as this may a run go on
SEARCHES = ("gbfs", "guct-normal2(preferred=True)")

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGPROF"), reason="needs a timer of CPU time")


def run(files: tuple[str, str], search: str, time_limit: float | None = None) -> Result:
    return solve(from_pddl(*files), Journal(settings(search=search, max_evaluations=200, time_limit=time_limit)))


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    paths = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    for path, text in zip(paths, triples(), strict=True):
        path.write_text(text)
    return str(paths[0]), str(paths[1])


@pytest.mark.slow
@pytest.mark.parametrize("search", SEARCHES)
def test_a_run_ends_soon_after_ctrl_c(files: tuple[str, str], search: str) -> None:
    begin = time.process_time()
    whole = run(files, search)
    duration = time.process_time() - begin
    assert whole.status == "evaluation-limit"
    assert whole.task is not None
    assert whole.task["actions"] > 50_000
    assert whole.seconds["prepare"] > 0

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGPROF, interrupt)
    stages = set()
    try:
        for i in range(1, MOMENTS + 1):
            moment = duration * i / (MOMENTS + 1)
            begin = time.process_time()
            result = None
            try:
                signal.setitimer(signal.ITIMER_PROF, moment)
                result = run(files, search)
                late = time.process_time() - begin - moment
                signal.setitimer(signal.ITIMER_PROF, 0)
            except KeyboardInterrupt:
                pass  # just after the end
            if result is None or result.status != "interrupted":
                assert i > MOMENTS / 2  # it was faster than the first time
                continue
            assert late < LATE, (i, result.seconds)
            stages.add("search" if result.evaluations > 0 else "before")
    finally:
        signal.signal(signal.SIGPROF, before)
    assert "before" in stages


@pytest.mark.slow
@pytest.mark.parametrize("search", SEARCHES)
def test_a_run_ends_soon_after_its_time_is_over(files: tuple[str, str], search: str) -> None:
    begin = time.monotonic()
    run(files, search)
    duration = time.monotonic() - begin
    clock = time.pthread_getcpuclockid(threading.get_ident())
    used: list[float] = []  # CPU seconds of the run when its time is over, or, on a busy machine, some time later
    stages = set()
    for i in range(1, MOMENTS + 1):
        moment = duration * i / (MOMENTS + 1)
        used.clear()
        timer = threading.Timer(moment, lambda: used.append(time.clock_gettime(clock)))
        timer.start()
        result = run(files, search, time_limit=moment)
        end = time.clock_gettime(clock)
        timer.cancel()
        timer.join()
        if result.status != "time-limit":
            continue  # it was faster than the first time
        assert not used or end - used[0] < LATE, (i, result.seconds)
        stages.add("search" if result.evaluations > 0 else "before")
    assert "before" in stages
