"""The server as a process: standard input and output, HTTP, many sessions, and ends that leave nothing behind."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command import COMMAND
from command import run as command
from puzzles import endless_search
from serving import Serving, example, wait_for, workers

mcp = pytest.importorskip("mcp", reason="needs the extra banditplan[mcp]")

import httpx  # noqa: E402
from mcp import Client, StdioServerParameters  # noqa: E402

CRATES = example("crates")
DOCS = Path(__file__).parents[3] / "docs" / "mcp.md"

HELLO = {
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}

pytestmark = pytest.mark.load


def endless() -> dict[str, str]:
    domain, problem = endless_search()
    return {"domain": domain, "problem": problem}


def stdio(*options: str) -> StdioServerParameters:
    return StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], "mcp", *options], env=dict(os.environ))


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    with Serving("--jobs", "2", "--request-limit", "1M", folder=tmp_path, words=("mcp", "--http")) as serving:
        yield serving


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_standard_input_and_output(mode: Any) -> None:
    async def asked() -> None:
        before = workers()
        async with Client(stdio(), mode=mode) as client:
            assert len((await client.list_tools()).tools) == 7
            result = await client.call_tool("solve", CRATES)
            assert result.structured_content["status"] == "solved"
            bad = await client.call_tool("solve", {"domain": "(", "problem": "("})
            assert bad.is_error
            told = []

            async def note(progress: float, total: float | None, message: str | None) -> None:
                told.append(message)

            stopped = await client.call_tool("solve", {**endless(), "time_limit": 1}, progress_callback=note)
            assert stopped.structured_content["status"] == "time-limit"
            assert told
        assert workers() <= before

    asyncio.run(asked())


def test_a_client_that_goes_away_takes_its_runs_along() -> None:
    async def asked() -> None:
        before = workers()
        async with Client(stdio()) as client:
            call = asyncio.create_task(client.call_tool("solve", endless()))
            while not workers() - before:
                await asyncio.sleep(0.02)
            call.cancel()
        await asyncio.to_thread(wait_for, lambda: workers() <= before)

    asyncio.run(asked())


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_signals_end_the_server_and_its_runs(how: int, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "mcp"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    ask(process, HELLO)
    assert '"id":1' in process.stdout.readline()
    ask(process, {"method": "notifications/initialized"})
    ask(process, {"id": 2, "method": "tools/call", "params": {"name": "solve", "arguments": endless()}})
    wait_for(lambda: workers(process.pid))
    process.send_signal(how)
    _, err = process.communicate(timeout=20)
    assert "Traceback" not in err
    wait_for(lambda: not workers(process.pid))


def test_what_is_no_message_is_survived(tmp_path: Path) -> None:
    """Bytes that are no UTF-8, no JSON, nested too deeply; texts that are no UTF-8 are faults like others."""
    process = subprocess.Popen(
        [*COMMAND, "mcp"], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    lines = [
        message(HELLO),
        message({"method": "notifications/initialized"}),
        b"\xff\xfe\x00\x80",
        b"nonsense",
        b"",
        b"[" * 100_000 + b"]" * 100_000,
        message({"method": "notifications/cancelled", "params": {"requestId": 99}}),
        message({"id": 2, "method": "tools/call", "params": {"name": "check", "arguments": {"domain": "(X"}}}).replace(
            b"X", b"\xff"
        ),
    ]
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"\n".join(lines) + b"\n")
    process.stdin.flush()
    answers = {}
    while 2 not in answers:
        answer = json.loads(process.stdout.readline())
        answers[answer.get("id")] = answer
    assert not answers[2]["result"]["structuredContent"]["correct"]
    _, err = process.communicate(timeout=20)
    assert process.returncode == 0
    assert b"Traceback" not in err


def message(fields: dict[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **fields}).encode()


def ask(process: subprocess.Popen[str], fields: dict[str, Any]) -> None:
    assert process.stdin is not None
    process.stdin.write(message(fields).decode() + "\n")
    process.stdin.flush()


def test_ten_sessions_at_once_over_http(serving: Serving) -> None:
    async def session(number: int) -> str:
        async with Client(f"{serving.url}/mcp") as client:
            name = ("crates", "lights", "museum", "island")[number % 4]
            result = await client.call_tool("solve", {**example(name), "time_limit": 60})
            checked = await client.call_tool("validate", {**CRATES, "plan": "(up ground first)"})
            assert not checked.structured_content["valid"]
            return f"{name} {result.structured_content['status']}"

    async def all_at_once() -> list[str]:
        return await asyncio.gather(*map(session, range(10)))

    outcomes = asyncio.run(all_at_once())
    assert {outcome.split()[1] for outcome in outcomes if "island" in outcome} == {"unsolvable"}
    assert {outcome.split()[1] for outcome in outcomes if "island" not in outcome} == {"solved"}
    wait_for(lambda: not serving.workers)
    assert "Traceback" not in serving.said


def test_ten_sessions_half_of_which_give_up(serving: Serving) -> None:
    """Those that are cancelled when they have made progress leave the others alone."""

    async def gives_up() -> None:
        begun = asyncio.Event()

        async def note(progress: float, total: float | None, message: str | None) -> None:
            begun.set()

        async with Client(f"{serving.url}/mcp") as client:
            call = asyncio.create_task(client.call_tool("solve", endless(), progress_callback=note))
            await begun.wait()
            call.cancel()
            checked = await client.call_tool("check", CRATES)
            assert checked.structured_content["correct"]

    async def waits() -> str:
        async with Client(f"{serving.url}/mcp") as client:
            result = await client.call_tool("solve", CRATES)
            return str(result.structured_content["status"])

    async def all_at_once() -> list[Any]:
        return await asyncio.gather(*(each() for _ in range(5) for each in (gives_up, waits)))

    assert [each for each in asyncio.run(all_at_once()) if each] == ["solved"] * 5
    wait_for(lambda: not serving.workers)
    assert "Traceback" not in serving.said


def test_a_cancelled_call_over_http_ends_its_process(serving: Serving) -> None:
    async def asked() -> None:
        async with Client(f"{serving.url}/mcp") as client:
            call = asyncio.create_task(client.call_tool("solve", endless()))
            while not serving.workers:
                await asyncio.sleep(0.02)
            call.cancel()
            await asyncio.to_thread(wait_for, lambda: not serving.workers)
            assert not (await client.call_tool("solve", CRATES)).is_error

    asyncio.run(asked())


def test_http_is_for_this_machine_and_in_bounds(serving: Serving) -> None:
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}

    def status(body: bytes, **others: str) -> int:
        return httpx.post(f"{serving.url}/mcp", content=body, headers={**headers, **others}).status_code

    assert "127.0.0.1" in serving.url
    assert status(body, Origin="http://evil.example") == 403
    assert status(body, Host="evil.example") == 421
    assert status(b" " * 2_000_000) == 413
    assert status(b"nonsense") == 400
    assert "Traceback" not in serving.said


def test_the_server_ends_with_its_runs(serving: Serving) -> None:
    async def asked() -> None:
        async with Client(f"{serving.url}/mcp") as client:
            call = asyncio.create_task(client.call_tool("solve", endless()))
            while not serving.workers:
                await asyncio.sleep(0.02)
            serving.process.send_signal(signal.SIGTERM)
            await asyncio.to_thread(serving.process.wait, 20)
            call.cancel()

    with contextlib.suppress(Exception, asyncio.CancelledError):  # the client loses its server
        asyncio.run(asked())
    wait_for(lambda: not serving.workers)
    assert "Traceback" not in serving.said


def test_a_missing_extra_is_named() -> None:
    code = "import sys; sys.modules['mcp'] = None; from banditplan.cli.main import main; sys.exit(main(['mcp']))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 31
    assert "pip install 'banditplan[mcp]'" in done.stderr


def test_a_missing_root_is_named(tmp_path: Path) -> None:
    done = command("mcp", "--root", "nowhere", cwd=tmp_path)
    assert done.returncode == 31
    assert "no such folder" in done.stderr


def test_the_documented_configurations_start_the_server() -> None:
    blocks = re.findall(r"^```json\n(.*?)^```", DOCS.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 3
    for block in blocks:
        (servers,) = json.loads(block).values()
        (server,) = servers.values()
        if "url" in server:
            assert server["url"] == "http://127.0.0.1:8766/mcp"
        else:
            assert server["command"] == "banditplan"
            assert server["args"][0] == "mcp"
