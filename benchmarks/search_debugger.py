"""What being watched costs a search, per task: JSON lines.

    python benchmarks/search_debugger.py DOMAIN PROBLEM [DOMAIN PROBLEM …] [--search S] [--evaluations N] [--repeat R]

CPU seconds of the thread that searches: `alone`; `dropped`, with a feed that is full; `taken`, with a feed that another
thread empties; `posted`, with a debugger at its end, an HTTP server that answers at once. The best of several.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import banditplan as bp
from banditplan._core import LiveFeed
from banditplan.journal import Journal
from banditplan.search_debugger import WAITING, SearchDebugger
from banditplan.settings import Observer, read_search, settings


class Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(201)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def dropping() -> Iterator[LiveFeed]:
    yield LiveFeed(0)


@contextmanager
def emptied() -> Iterator[LiveFeed]:
    feed = LiveFeed(WAITING)

    def take() -> None:
        while feed.take(0.2) is not None:
            pass

    thread = Thread(target=take)
    thread.start()
    try:
        yield feed
    finally:
        feed.close()
        thread.join()


@contextmanager
def debugger(task: bp.Task) -> Iterator[LiveFeed]:
    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        serving = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        serving.start()
        shown = SearchDebugger(f"http://127.0.0.1:{server.server_port}")
        journal = Journal(settings(observer=Observer(feed=shown.feed)))
        journal.note_task(task)
        shown.start(journal)
        try:
            yield shown.feed
        finally:
            shown.finish()
            server.shutdown()


def measure(domain: str, problem: str, search: str | None, evaluations: int, repeat: int) -> dict[str, object]:
    task = bp.load(domain, problem)
    asked = read_search(search)

    def seconds(feed: LiveFeed | None) -> float:
        begin = time.thread_time()
        asked.run(task, max_evaluations=evaluations, feed=feed)
        return time.thread_time() - begin

    watchers: dict[str, Callable[[], AbstractContextManager[LiveFeed]]] = {
        "dropped": dropping,
        "taken": emptied,
        "posted": lambda: debugger(task),
    }
    best: dict[str, float] = {}
    for _ in range(repeat):
        rows = {"alone": seconds(None)}
        for name, watcher in watchers.items():
            with watcher() as feed:
                rows[name] = seconds(feed)
        best = {name: min(value, best.get(name, value)) for name, value in rows.items()}
    ratios = {f"{name}/alone": round(best[name] / best["alone"], 2) for name in watchers}
    return {name: round(value, 4) for name, value in best.items()} | ratios


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="DOMAIN PROBLEM")
    parser.add_argument("--search")
    parser.add_argument("--evaluations", type=int, default=20_000)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    for domain, problem in zip(arguments.files[::2], arguments.files[1::2], strict=True):
        found = measure(domain, problem, arguments.search, arguments.evaluations, arguments.repeat)
        print(json.dumps({"problem": problem} | found), flush=True)


if __name__ == "__main__":
    main()
