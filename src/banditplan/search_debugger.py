"""Tells a search debugger, such as that of VS Code's PDDL extension, of the states of a search while it runs.

The debugger is an HTTP server: `POST /state/initial`, `/state`, `/state/heuristic` and `/plan` with JSON. A thread
posts what the search leaves in a bounded feed. The search never waits for it, and a debugger that does not answer is
left alone.
"""

from __future__ import annotations

import json
from http.client import HTTPConnection, HTTPException
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from banditplan._core import LiveFeed
from banditplan.errors import InputError
from banditplan.frozen import frozen

if TYPE_CHECKING:
    from banditplan._core import Task
    from banditplan.journal import Journal

WAITING = 100_000  # entries in the feed; what comes when it is full is left out
MOST_STATES = 20_000  # that a person can look at
MOST_HEAD = 200  # steps of the way to a state that are told: the debugger reads messages of 100 kB
SECONDS_TO_TAKE = 0.2
SECONDS_TO_ANSWER = 5.0
SECONDS_TO_END = 10.0  # for what is still in the feed when the search has ended


@frozen
class Node:
    """A state that the debugger knows, under its number."""

    number: int
    depth: int
    cost: int
    action: str
    parent: Node | None

    def head(self) -> list[dict[str, Any]]:
        """The last steps of the way to the state."""
        steps: list[dict[str, Any]] = []
        node = self
        while node.parent is not None and len(steps) < MOST_HEAD:
            steps.append(_happening(node))
            node = node.parent
        return steps[::-1]

    def message(self) -> dict[str, Any]:
        return {
            "id": str(self.number),
            "parentId": None if self.parent is None else str(self.parent.number),
            "g": self.cost,
            "earliestTime": self.depth,
            "appliedAction": None if self.parent is None else _happening(self),
            "planHead": self.head(),
        }


def _happening(node: Node) -> dict[str, Any]:
    return {
        "earliestTime": node.depth - 1,
        "actionName": node.action,
        "shotCounter": 0,
        "iterations": 1,
        "kind": "INSTANTANEOUS",
    }


class SearchDebugger:
    """The debugger at an address. `feed` is for the search; `start` begins to listen to it, `finish` ends that."""

    def __init__(self, url: str) -> None:
        """Raises InputError if that is no address."""
        try:
            parts = urlsplit(url)
            self._address = parts.hostname or "", parts.port or 80
        except ValueError:
            raise _no_address(url) from None
        if parts.scheme != "http" or not parts.hostname:
            raise _no_address(url)
        self.feed = LiveFeed(WAITING)
        self.problem: str | None = None  # why nothing more is posted
        self._url = url
        self._path = parts.path.rstrip("/")
        self._connection: HTTPConnection | None = None
        self._deadline: float | None = None
        self._nodes: dict[int, Node] = {}  # by the search's number of the state
        self._successors: dict[tuple[int, int], Node] = {}  # by the number of a node and an action
        self._root: Node | None = None
        self._shown = self._left_out = self._refused = 0

    def start(self, journal: Journal) -> None:
        """Post what comes, in a thread of its own; the journal's task is there when a search begins."""
        self._journal = journal
        self._thread = Thread(target=self._post_all, name="search debugger", daemon=True)
        self._thread.start()

    def finish(self) -> list[str]:
        """Post what is left, and the plan, as long as that is soon done; returns what went wrong or was left out."""
        self._deadline = monotonic() + SECONDS_TO_END
        self.feed.close()
        self._thread.join(SECONDS_TO_END + SECONDS_TO_ANSWER)
        left_out = self._left_out + self.feed.dropped
        texts = []
        if self.problem is not None:
            texts.append(f"the search debugger at {self._url} {self.problem}; the search went on without it")
        elif left_out:
            texts.append(f"the search debugger was shown {self._shown:,} states; {left_out:,} messages were left out")
        if self._refused:
            texts.append(f"the search debugger refused {self._refused:,} messages")
        return texts

    # ---- in the thread

    def _post_all(self) -> None:
        try:
            while (batch := self.feed.take(SECONDS_TO_TAKE)) is not None:
                for parent, state, action, h in batch:
                    self._take(parent, state, action, h)
            self._post_plan()
        except (OSError, HTTPException) as error:
            self.problem = f"does not answer ({error})" if str(error) else "does not answer"
        finally:
            if self._connection is not None:
                self._connection.close()

    def _take(self, parent: int, state: int, action: int, h: int | None) -> None:
        if state < 0:  # another search, which counts its states anew
            self._nodes.clear()
            self._successors.clear()
            self._root = None
            return
        node = self._nodes.get(state)
        if node is None:
            node = self._added(parent, state, action)
        if node is None or self._late():
            self._left_out += 1
        else:
            self._post("/state/heuristic", _evaluation(node, h))

    def _added(self, parent: int, state: int, action: int) -> Node | None:
        """The node of a new state, if the debugger can be told of it."""
        before = self._nodes.get(parent)
        if (before is None and self._root is not None) or self._shown >= MOST_STATES or self._late():
            return None
        node = self._nodes[state] = self._entered(before, action)
        return node

    def _entered(self, before: Node | None, action: int) -> Node:
        number = self._shown
        self._shown += 1
        if before is None:
            node = self._root = Node(number, 0, 0, "", None)
            self._post("/state/initial", node.message())
            return node
        taken = self._task.action(action)
        node = Node(number, before.depth + 1, before.cost + taken.cost, str(taken)[1:-1], before)
        self._successors[before.number, action] = node
        self._post("/state", node.message())
        return node

    def _post_plan(self) -> None:
        """The way to the goal, with the states on it that the debugger was not told of."""
        found = self._journal.found
        if found is None or found.status != "solved":
            return
        node = self._root or self._entered(None, -1)
        for action in found.plan:
            node = self._successors.get((node.number, action)) or self._entered(node, action)
        self._post("/plan", node.message())

    @property
    def _task(self) -> Task:
        assert self._journal.task is not None
        return self._journal.task

    def _late(self) -> bool:
        return self._deadline is not None and monotonic() > self._deadline

    def _post(self, path: str, message: dict[str, Any]) -> None:
        body = json.dumps(message)
        try:
            status = self._request(path, body)
        except (ConnectionError, HTTPException):  # a server may close a connection that was idle
            self._connection = None
            status = self._request(path, body)
        self._refused += status >= 400

    def _request(self, path: str, body: str) -> int:
        if self._connection is None:
            self._connection = HTTPConnection(*self._address, timeout=SECONDS_TO_ANSWER)
        self._connection.request("POST", self._path + path, body, {"Content-Type": "application/json"})
        answer = self._connection.getresponse()
        answer.read()
        return answer.status


def _evaluation(node: Node, h: int | None) -> dict[str, Any]:
    """A dead end has no value."""
    if h is None:
        return {"id": str(node.number)}
    return {
        "id": str(node.number),
        "h": h,
        "totalMakespan": node.depth + h,
        "helpfulActions": [],
        "relaxedPlan": [],
    }


def _no_address(url: str) -> InputError:
    return InputError(f"search debugger {url!r}: expected an address such as http://localhost:8010")
