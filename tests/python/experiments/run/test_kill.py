"""The runner is killed again and again, and in the end nothing is missing, nothing is double, nothing differs."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from sessions import Session, eventually, made, timeless

pytestmark = pytest.mark.load

KILLS = 30
DEFINITION = """
suite = "examples"
algorithms = ["gbfs", "guct", "guct-normal2"]
columns = ["ff", "gc"]
seeds = 4
max_evaluations = 3000
time_limit = "1m"
memory_limit = "2G"
"""
RUNS = 13 * 2 * (1 + 4 + 4)


def test_a_runner_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(DEFINITION)
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    with Session("mine.toml", "--out", str(whole), cwd=tmp_path) as session:
        assert session.end()[0] == 0
    reference = timeless(whole)
    assert len(reference) == RUNS

    chance = random.Random(20260101)
    interrupted = 0
    for number in range(KILLS):
        before = made(killed)
        with Session("mine.toml", "--out", str(killed), cwd=tmp_path) as session:
            if number % 5 == 0:  # at any moment of its start
                time.sleep(chance.uniform(0, 0.5))
            else:  # some runs later
                wanted = min(before + chance.randint(1, 2 * RUNS // KILLS), RUNS)
                eventually(
                    lambda wanted=wanted, session=session: made(killed) >= wanted or session.process.poll() is not None,  # type: ignore[misc]
                    f"{wanted} runs",
                )
                time.sleep(chance.uniform(0, 0.03))
            session.process.kill()
            interrupted += session.process.wait() == -9
            eventually(lambda session=session: not session.processes(), "no process is left")  # type: ignore[misc]
        assert made(killed) >= before
    assert interrupted >= KILLS // 2
    with Session("mine.toml", "--out", str(killed), cwd=tmp_path) as session:
        assert session.end()[0] == 0
    assert timeless(killed) == reference
