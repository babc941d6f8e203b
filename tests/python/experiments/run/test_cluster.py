"""On a dask cluster: a scheduler and two workers on loopback, as processes; one worker dies, and then the scheduler."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest
from command import run
from sessions import MARK, Session, eventually, made, marked, timeless

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.skipif(find_spec("distributed") is None, reason="needs dask: pip install 'banditplan[cluster]'"),
]

DEFINITION = """
suite = "examples"
algorithms = ["gbfs", "guct-normal2"]
columns = ["ff", "gc"]
seeds = 2
max_evaluations = 3000
time_limit = "1m"
memory_limit = "2G"
"""


@dataclass
class Cluster:
    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    file = tmp_path / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}

    def start(what: str, *options: str, mark: str = "") -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", what, "--scheduler-file", str(file), "--no-dashboard", *options]
        return subprocess.Popen(command, env={**os.environ, MARK: mark}, **quiet)  # type: ignore[call-overload,no-any-return]

    scheduler = start("scheduler", "--host", "127.0.0.1", "--port", "0")
    workers = []
    try:
        eventually(file.exists, "the scheduler is there")
        workers = [start("worker", "--nthreads", "1", "--no-nanny", mark=f"{tmp_path}{n}") for n in range(2)]
        eventually(lambda: file.read_text().strip().endswith("}"), "the scheduler has told its address")
        yield Cluster(json.loads(file.read_text())["address"], scheduler, workers)
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()
        eventually(lambda: not any(marked(f"{tmp_path}{n}") for n in range(2)), "no process of a worker is left")


def test_workers_and_schedulers_that_die_cost_nothing_but_the_runs_under_way(tmp_path: Path, cluster: Cluster) -> None:
    (tmp_path / "mine.toml").write_text(DEFINITION)
    assert run("experiment", "run", "mine.toml", "--out", "local", cwd=tmp_path).returncode == 0
    reference = timeless(tmp_path / "local")
    assert len(reference) == 78

    arguments = ("mine.toml", "--cluster", cluster.address, "--out")
    with Session(*arguments, "out", cwd=tmp_path) as session:
        eventually(lambda: made(tmp_path / "out") >= 10, "some runs are made")
        cluster.workers[0].kill()
        cluster.workers[0].wait()
        code, said = session.end()
        assert code == 0, said
    assert timeless(tmp_path / "out") == reference

    with Session(*arguments, "other", cwd=tmp_path) as session:
        eventually(lambda: made(tmp_path / "other") >= 10, "some runs are made")
        cluster.scheduler.kill()
        cluster.scheduler.wait()
        code, said = session.end()
    assert code == 31
    assert f"error: cluster {cluster.address}: " in said
    assert "nothing is lost but the runs under way: the same command goes on" in said
    assert 10 <= made(tmp_path / "other") < 72
    assert run("experiment", "run", "mine.toml", "--out", "other", cwd=tmp_path).returncode == 0
    assert timeless(tmp_path / "other") == reference


def test_a_cluster_that_is_not_there_is_said(tmp_path: Path) -> None:
    done = run("experiment", "run", "quick", "--cluster", "tcp://127.0.0.1:1", cwd=tmp_path)
    assert done.returncode == 31
    assert "error: cluster tcp://127.0.0.1:1: no scheduler answers there" in done.stderr
