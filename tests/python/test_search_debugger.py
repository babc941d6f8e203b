"""The search debugger is told of a search as VS Code's PDDL extension wants it, and can do no harm."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from command import run
from puzzles import endless_search, sliding, write

import banditplan as bp
from banditplan import search_debugger
from banditplan._core import LiveFeed
from banditplan.errors import InputError
from banditplan.journal import Journal
from banditplan.pipeline import improve, solve
from banditplan.search_debugger import SearchDebugger
from banditplan.settings import Observer, settings
from banditplan.task_input import from_pddl

Messages = list[tuple[str, dict[str, Any]]]


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left out because the machine is busy."""
    monkeypatch.setattr(search_debugger, "SECONDS_TO_END", 300)


@contextmanager
def recorded(status: int = 201, seconds: float = 0) -> Iterator[tuple[str, Messages]]:
    """A server of the extension's shape: its address, and what it is told."""
    messages: Messages = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            assert self.headers["Content-Type"] == "application/json"
            size = int(self.headers["Content-Length"])
            assert size < 100_000  # what the extension reads
            messages.append((self.path, json.loads(self.rfile.read(size))))
            time.sleep(seconds)
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}", messages
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Extension:
    """What the extension makes of the messages; raises where it would."""

    def __init__(self, messages: Messages) -> None:
        self.states: dict[str, dict[str, Any]] = {}
        self.h: dict[str, int | None] = {}
        self.plan: list[str] | None = None
        for path, message in messages:
            match path:
                case "/state/initial":
                    self.states[message["id"]] = message
                case "/state":
                    self._add(message)
                case "/state/heuristic":
                    assert message["id"] in self.states
                    self.h[message["id"]] = message.get("h")
                    if "h" in message:
                        assert message["relaxedPlan"] == message["helpfulActions"] == []
                        assert message["totalMakespan"] >= message["h"]
                case "/plan":
                    self.plan = [each["actionName"] for each in self._way(message)]
                case _:
                    raise AssertionError(path)

    def _add(self, message: dict[str, Any]) -> None:
        assert message["id"] not in self.states
        parent = self.states[message["parentId"]]
        assert message["earliestTime"] == parent["earliestTime"] + 1
        assert message["g"] >= parent["g"]
        applied = message["appliedAction"]
        assert applied["kind"] == "INSTANTANEOUS"
        assert message["planHead"][-1] == applied
        if len(message["planHead"]) < search_debugger.MOST_HEAD:
            assert message["planHead"] == [*parent["planHead"], applied]
        self.states[message["id"]] = message

    def _way(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        way = []
        while message["parentId"] is not None:
            way.append(message["appliedAction"])
            message = self.states[message["parentId"]]
        return way[::-1]


def watched(url: str, files: tuple[str, str], **options: Any) -> tuple[bp.Result, list[str]]:
    debugger = SearchDebugger(url)
    journal = Journal(settings(**options, observer=Observer(feed=debugger.feed)))
    debugger.start(journal)
    result = solve(from_pddl(*files), journal)
    return result, debugger.finish()


def plan_of(result: bp.Result) -> list[str]:
    assert result.plan is not None
    return [str(step)[1:-1] for step in result.plan]


@pytest.mark.sweep
@pytest.mark.parametrize("search", ["guct-normal2", "gbfs", "gbfs(deferred=True)", "astar", "guct-01"])
@pytest.mark.parametrize("name", ["lights", "museum"])
def test_a_search_is_told_as_it_goes(name: str, search: str) -> None:
    files = bp.example(name)
    with recorded() as (url, messages):
        result, texts = watched(url, files, search=search, split="never", shorten=False)
    assert texts == []
    seen = Extension(messages)
    assert seen.plan == plan_of(result)
    plain = bp.solve(*files, search=search, split="never", shorten=False)
    assert plain.plan == result.plan  # being watched changes nothing
    assert [path for path, _ in messages].count("/plan") == 1
    assert messages[0][0] == "/state/initial"
    if result.initial_h is not None:
        assert seen.h["0"] == result.initial_h
    assert min(h for h in seen.h.values() if h is not None) == result.best_h


def test_every_state_is_told_of(tmp_path: Path) -> None:
    files = write(tmp_path, sliding(2, 2))
    with recorded() as (url, messages):
        result, _ = watched(url, files, search="gbfs(heuristic=blind)")
    assert result.status == "unsolvable"
    assert len(Extension(messages).states) == result.inserted == 12


def test_without_a_plan_there_is_none() -> None:
    with recorded() as (url, messages):
        result, texts = watched(url, bp.example("lights"), max_evaluations=3, search="gbfs")
    assert result.status == "evaluation-limit"
    assert texts == []
    assert Extension(messages).plan is None


def test_a_goal_that_holds_from_the_start(tmp_path: Path) -> None:
    domain = "(define (domain d) (:predicates (a)) (:action x :effect (a)))"
    files = write(tmp_path, (domain, "(define (problem p) (:domain d) (:init (a)) (:goal (a)))"))
    with recorded() as (url, messages):
        watched(url, files)
    assert [path for path, _ in messages] == ["/state/initial", "/plan"]
    assert Extension(messages).plan == []


def test_what_is_left_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The states on the way to the goal are told in any case."""
    monkeypatch.setattr(search_debugger, "MOST_STATES", 5)
    with recorded() as (url, messages):
        result, (text,) = watched(url, bp.example("warehouse"), search="gbfs", split="never", shorten=False)
    assert "left out" in text
    assert Extension(messages).plan == plan_of(result)


def test_a_full_feed_drops_and_counts() -> None:
    feed = LiveFeed(10)
    result = bp.AStar().run(bp.load(*bp.example("crates")), feed=feed)
    feed.close()
    entries = feed.take(0)
    assert entries is not None
    assert len(entries) == 10
    assert feed.dropped > 0
    assert feed.take(0) is None
    assert result.status == "solved"


def test_a_slow_debugger_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_debugger, "SECONDS_TO_END", 0.2)
    files = write(tmp_path, endless_search())
    with recorded(seconds=0.02) as (url, messages):
        result, (text,) = watched(url, files, max_evaluations=3000)
    assert result.status == "evaluation-limit"
    assert "left out" in text
    Extension(messages)


def test_a_debugger_that_is_not_there_is_a_warning(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        result, (text,) = watched(url, bp.example("crates"))
        assert result.solved
        assert "does not answer" in text
        done = run("solve", "--example", "crates", "--no-shorten", f"--search-tree-dump={url}", cwd=tmp_path)
    assert done.returncode == 0
    assert f"warning: the search debugger at {url} does not answer" in done.stderr
    assert done.stdout.startswith("(")


def test_a_debugger_that_never_answers_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_debugger, "SECONDS_TO_ANSWER", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        result, (text,) = watched(f"http://127.0.0.1:{silent.getsockname()[1]}", bp.example("crates"))
    assert result.solved
    assert "does not answer" in text


def test_a_debugger_that_refuses_is_a_warning() -> None:
    with recorded(status=500) as (url, messages):
        result, (text,) = watched(url, bp.example("crates"))
    assert result.solved
    assert text == f"the search debugger refused {len(messages):,} messages"


def test_the_command_line(tmp_path: Path) -> None:
    with recorded() as (url, messages):
        done = run("solve", "--example", "crates", "--no-shorten", f"--search-tree-dump={url}", cwd=tmp_path)
    assert done.returncode == 0
    assert "warning" not in done.stderr
    assert Extension(messages).plan == [line[1:-1] for line in done.stdout.splitlines() if line.startswith("(")]


@pytest.mark.parametrize("url", ["localhost:80", "https://localhost", "http://", "http://localhost:port", "nonsense"])
def test_bad_addresses_are_named(url: str) -> None:
    with pytest.raises(InputError, match="expected an address"):
        SearchDebugger(url)


def test_one_observer_per_search(tmp_path: Path) -> None:
    done = run(
        "solve", "--example", "crates", "--search-tree-dump=http://localhost:1", "--trace", "t.jsonl", cwd=tmp_path
    )
    assert done.returncode == 31
    assert "one observer" in done.stderr
    journal = Journal(settings(observer=Observer(feed=LiveFeed(1))))
    with pytest.raises(InputError, match="anytime"):
        improve(from_pddl(*bp.example("crates")), journal)


def test_the_settings_to_import_are_those_of_the_page(tmp_path: Path) -> None:
    docs = Path(__file__).parents[2] / "docs"
    text = (docs / "vscode-settings.json").read_text(encoding="utf-8")
    assert text in (docs / "editors.md").read_text(encoding="utf-8")
    (planner,) = json.loads(text)["pddl.planners"]
    with recorded() as (url, messages):
        option = planner["searchDebuggerCommandLineSyntax"].replace("http://localhost:$(port)", url)
        domain, problem = bp.example("crates")
        words = {"$(planner)": "", "$(options)": "--seed 1", "$(domain)": domain, "$(problem)": problem}
        line = planner["syntax"]
        for name, word in words.items():
            line = line.replace(name, word)
        done = run(*line.split(), option, cwd=tmp_path)
    assert done.returncode == 0
    assert Extension(messages).plan is not None
