"""Two hundred clients at once, good, bad, huge and slow: everyone gets the right answer, and nothing is left behind."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from puzzles import endless_search, long_text
from serving import Serving, example, wait_for

import banditplan as bp

pytestmark = pytest.mark.load

httpx = pytest.importorskip("httpx")
pytest.importorskip("fastapi", reason="needs the extra banditplan[serve]")

CLIENTS = {"good": 90, "bad": 40, "huge": 20, "long": 10, "slow": 40}
LIMIT = 4 << 20
MOST_SECONDS = 60.0  # for the page while all that goes on; some milliseconds on a quiet machine
MOST_MEMORY_KB = 300 << 10


def task(kind: str) -> dict[str, Any]:
    match kind:
        case "good":
            return dict(example("crates"))
        case "bad":
            return {"domain": "(define (domain d)\n  (:predicats))", "problem": ""}
        case "huge":
            return {"domain": " " * (2 * LIMIT), "problem": ""}
        case "long":
            domain, problem = long_text(40_000)
            return {"domain": domain, "problem": problem}
    domain, problem = endless_search()
    return {"domain": domain, "problem": problem, "time_limit": 0.3}


def check(kind: str, answer: Any, plan: list[str]) -> None:
    assert answer.status_code == (413 if kind == "huge" else 200), answer.text
    body = answer.json()
    match kind:
        case "good":
            assert [step["name"] for step in body["result"]["plan"]] == plan
        case "bad":
            assert body["result"]["error"].startswith('domain.pddl:2:4: unknown section ":predicats"')
        case "long":
            assert len(body["result"]["plan"]) == 1
        case "slow":
            assert body["result"]["error"].startswith("time-limit: ")


async def asked(client: Any, kind: str, body: bytes, plan: list[str]) -> int:
    """Ask until there is room; returns how often there was none."""
    refused = 0
    while True:
        answer = await client.post("/solve", content=body, headers={"content-type": "application/json"})
        if answer.status_code != 503:
            check(kind, answer, plan)
            return refused
        refused += 1
        await asyncio.sleep(int(answer.headers["retry-after"]))


async def load(url: str, plan: list[str]) -> int:
    bodies = {kind: json.dumps(task(kind)).encode() for kind in CLIENTS}
    limits = httpx.Limits(max_connections=sum(CLIENTS.values()))
    async with httpx.AsyncClient(base_url=url, timeout=300, limits=limits) as client:
        asking = [asked(client, kind, bodies[kind], plan) for kind, number in CLIENTS.items() for _ in range(number)]
        return sum(await asyncio.gather(*asking))


# In a process of its own, as the clients keep this one busy: how long the page takes to come, again and again.
WATCH = """
import sys, time, urllib.request
sys.stdin.close()
while True:
    start = time.monotonic()
    with urllib.request.urlopen(sys.argv[1]) as answer:
        assert b"<title>banditplan" in answer.read()
    print(time.monotonic() - start, flush=True)
    time.sleep(0.1)
"""


def test_two_hundred_clients_at_once(tmp_path: Path) -> None:
    found = bp.solve(*bp.example("crates")).plan
    assert found is not None
    options = ("--jobs", "2", "--queue", "80", "--request-limit", str(LIMIT))
    with Serving(*options, folder=tmp_path) as serving:
        watching = subprocess.Popen([sys.executable, "-c", WATCH, serving.url], stdout=subprocess.PIPE, text=True)
        try:
            refused = asyncio.run(load(serving.url, [str(step) for step in found]))
            assert watching.poll() is None  # it was always answered
        finally:
            watching.kill()
            seconds = [float(line) for line in watching.communicate()[0].splitlines()]
        assert refused > 0  # the queue was full at times
        assert max(seconds) < MOST_SECONDS
        assert serving.memory_kb < MOST_MEMORY_KB
        wait_for(lambda: not serving.workers)
        state = httpx.get(f"{serving.url}/api/server").json()
        assert (state["running"], state["waiting"]) == (0, 0)
        print(f"{refused} refused, page in at most {max(seconds):.3f} s, {serving.memory_kb / 1024:.0f} MB")
    assert "Traceback" not in serving.said
