"""Full queues, bounded memory of runs, and ends: nothing outlives the server."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import run as command
from puzzles import endless_grounding, endless_search
from serving import Serving, example, wait_for

httpx = pytest.importorskip("httpx")
pytest.importorskip("fastapi", reason="needs the extra banditplan[serve]")

from banditplan.server import child as server_child  # noqa: E402
from banditplan.server import run as server_run  # noqa: E402
from banditplan.server import runs as server_runs  # noqa: E402
from banditplan.server.models import Task  # noqa: E402
from banditplan.server.settings import ServerSettings  # noqa: E402

pytestmark = pytest.mark.load


def endless() -> dict[str, str]:
    domain, problem = endless_search()
    return {"domain": domain, "problem": problem}


def test_a_full_queue_is_503_and_has_room_again_later(tmp_path: Path) -> None:
    with (
        Serving("--jobs", "1", "--queue", "1", folder=tmp_path) as serving,
        httpx.Client(base_url=serving.url, timeout=30) as client,
    ):
        ids = [client.post("/api/runs", json=endless()).json()["id"] for _ in range(2)]
        for path in ("/api/runs", "/solve", "/package/banditplan/solve"):
            answer = client.post(path, json=example("crates"))
            assert answer.status_code == 503
            assert int(answer.headers["retry-after"]) > 0
        for run_id in ids:
            client.delete(f"/api/runs/{run_id}")
        wait_for(lambda: client.get("/api/server").json()["running"] == 0)
        assert client.post("/solve", json=example("crates")).json()["status"] == "ok"


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_no_run_outlives_the_server(how: int, tmp_path: Path) -> None:
    with Serving("--jobs", "2", folder=tmp_path) as serving:
        domain, problem = endless_grounding()
        for task in (endless(), {"domain": domain, "problem": problem}, endless()):
            assert httpx.post(f"{serving.url}/api/runs", json=task).status_code == 202
        wait_for(lambda: len(serving.workers) == 2)
        with httpx.stream("GET", f"{serving.url}/api/server"):
            os.kill(serving.process.pid, how)
        serving.process.wait(20)
        wait_for(lambda: not serving.workers, 10)
        assert "Traceback" not in serving.said


def test_a_stream_of_events_does_not_hold_up_the_end(tmp_path: Path) -> None:
    with Serving("--jobs", "1", folder=tmp_path) as serving:
        run_id = httpx.post(f"{serving.url}/api/runs", json=endless()).json()["id"]
        with httpx.stream("GET", f"{serving.url}/api/runs/{run_id}/events", timeout=20) as stream:
            lines = stream.iter_lines()
            next(lines)
            serving.process.send_signal(signal.SIGTERM)
            text = "".join(lines)
        assert '"state":"cancelled"' in text
        serving.process.wait(20)
        assert "Traceback" not in serving.said


def test_a_process_that_is_killed_from_outside_is_an_answer(tmp_path: Path) -> None:
    with Serving("--jobs", "1", folder=tmp_path) as serving, httpx.Client(base_url=serving.url) as client:
        run_id = client.post("/api/runs", json=endless()).json()["id"]
        wait_for(lambda: client.get(f"/api/runs/{run_id}").json()["stage"] == "searching")
        os.kill(serving.workers.pop(), signal.SIGKILL)
        wait_for(lambda: client.get(f"/api/runs/{run_id}").json()["state"] == "finished")
        problem = client.get(f"/api/runs/{run_id}").json()["problem"]
        assert problem["kind"] == "internal"
        assert "signal 9" in problem["message"]
        assert client.post("/solve", json=example("crates")).json()["status"] == "ok"


def test_a_process_that_stops_listening_is_ended_at_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_run, "SECONDS_OVER_TIME", 0.5)

    async def stopped() -> server_run.LiveRun:
        runs = server_runs.Runs(ServerSettings(jobs=1))
        run = runs.submit(Task(**endless(), time_limit=1))  # type: ignore[arg-type]
        async for _ in run.changes():
            if run.stage == "searching":
                assert run.child is not None
                os.kill(run.child._process.pid, signal.SIGSTOP)
                break
        await run.end()
        await runs.drained()
        return run

    run = asyncio.run(stopped())
    assert run.problem is not None
    assert run.problem.kind == "limit"
    assert "had to be ended" in run.problem.message


def test_an_answer_that_is_too_long_is_said_to_be_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_child, "LONGEST_LINE", 100)
    monkeypatch.setattr(server_run, "LONGEST_LINE", 100)

    async def answered() -> server_run.LiveRun:
        runs = server_runs.Runs(ServerSettings(jobs=1))
        run = runs.submit(Task(**example("crates")))  # type: ignore[arg-type]
        await run.end()
        await runs.drained()
        return run

    run = asyncio.run(answered())
    assert run.problem is not None
    assert run.problem.message == "the answer is longer than the 100 bytes that are read"


def test_runs_that_have_ended_are_kept_for_a_while_and_not_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    async def kept(settings: dict[str, Any]) -> list[bool]:
        for name, value in settings.items():
            monkeypatch.setattr(server_runs, name, value)
        runs = server_runs.Runs(ServerSettings(jobs=2))
        made = [runs.submit(Task(domain="(", problem="")) for _ in range(4)]
        await runs.drained()
        while runs.running or runs.waiting:
            await runs.drained()
        assert all(run.ended and run.closed and run.task is None for run in made)
        return [runs.get(run.id) is not None for run in made]

    assert asyncio.run(kept({})) == [True] * 4
    assert asyncio.run(kept({"KEPT_RUNS": 2})) == [False, False, True, True]
    assert asyncio.run(kept({"KEPT_BYTES": 0})) == [False] * 4
    assert asyncio.run(kept({"KEPT_BYTES": 1 << 20, "KEPT_RUNS": 9, "KEPT_SECONDS": 0})) == [False] * 4


def test_the_queue_is_bounded_in_bytes_too() -> None:
    async def submitted() -> None:
        runs = server_runs.Runs(ServerSettings(jobs=1, request_limit=1000))
        first = runs.submit(Task(**endless()))  # type: ignore[arg-type]
        for _ in range(8):
            runs.submit(Task(domain="x" * 1000, problem=""))
        with pytest.raises(server_runs.Full):
            runs.submit(Task(domain="x", problem=""))
        runs.shut()
        await runs.drained()
        assert first.state == "cancelled"
        with pytest.raises(server_runs.Full):
            runs.submit(Task(domain="x", problem=""))

    asyncio.run(submitted())


def test_a_worker_without_its_server_ends_at_once() -> None:
    done = subprocess.run([sys.executable, "-m", "banditplan.server.worker", "1"], input=b"{}", capture_output=True)
    assert (done.returncode, done.stdout) == (1, b"")


def test_a_worker_that_nobody_hears_ends_without_a_word() -> None:
    order = {"domain": "", "problem": "", "search": None, "seed": 0, "time_limit": 9.0, "memory_limit": None}
    order |= {"max_evaluations": None, "split": "auto", "report": False, "anytime": False, "inquiry": None}
    reading, writing = os.pipe()
    os.close(reading)
    worker = [sys.executable, "-m", "banditplan.server.worker", str(os.getpid())]
    with os.fdopen(writing) as unheard:
        done = subprocess.run(worker, input=json.dumps(order).encode(), stdout=unheard, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    with Serving(folder=tmp_path) as serving:
        done = command("serve", "--port", serving.url.rpartition(":")[2], cwd=tmp_path)
        assert done.returncode == 31
        assert "choose another --host or --port" in done.stderr


def test_whoever_lets_others_in_is_warned(tmp_path: Path) -> None:
    with Serving("--host", "0.0.0.0", folder=tmp_path) as serving:
        assert serving.said.startswith("warning: whoever can reach 0.0.0.0 can run searches on this machine")


def test_without_the_extra_the_remedy_is_named(tmp_path: Path) -> None:
    (tmp_path / "uvicorn.py").write_text("raise ModuleNotFoundError(name='uvicorn')", encoding="utf-8")
    done = command("serve", cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 31
    assert "pip install 'banditplan[serve]'" in done.stderr
