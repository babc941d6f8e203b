"""Text → trace: lines of JSON, checked once, so that nothing after this has to doubt them. See docs/trace.md."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, NoReturn

from banditplan.errors import InputError, Source
from banditplan.explain.shape import ARM, CHOICE, SHAPES, Shape
from banditplan.trace import FORMAT

Line = dict[str, Any]

ORDER = ("header", "step", "path", "node", "actions", "states", "landmarks", "end")
MOST = dict.fromkeys(ORDER, 1) | {"step": 1_000, "path": 250, "node": 5_000}
MOST_CHOICES = 12
MOST_ARMS = 16
REMEDY = "`banditplan solve --trace FILE` writes one"


@dataclass(frozen=True, slots=True)
class Trace:
    """The lines by their kinds; `names` are the texts of the actions. A search that never began has no states, and one
    that does not count landmarks has none of those."""

    header: Line
    steps: list[Line]
    paths: list[Line]
    nodes: list[Line]
    names: dict[int, str]
    states: Line | None
    landmarks: Line | None
    end: Line


def read_trace(source: Source) -> Trace:
    """Raises `InputError` that names the line."""
    return _Reader(source).trace()


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._number = 0
        self._lines: dict[str, list[tuple[int, Line]]] = {kind: [] for kind in ORDER}

    def trace(self) -> Trace:
        at = 0
        for text in self._source.text.removesuffix("\n").split("\n"):
            self._number += 1
            line = self._line(text)
            kind = line["kind"]
            if ORDER.index(kind) < at:
                self._fail(f'a line of kind "{kind}" after one of kind "{ORDER[at]}"')
            at = ORDER.index(kind)
            self._lines[kind].append((self._number, line))
            if len(self._lines[kind]) > MOST[kind]:
                self._fail(f'more than {MOST[kind]:,} lines of kind "{kind}"')
        for kind in ("actions", "end"):
            if not self._lines[kind]:
                self._fail(f'the trace breaks off here: there is no line of kind "{kind}"; was it copied whole?')
        names = self._names()
        self._check_nodes(names)
        self._check_choices(names)
        self._check_plan(names)
        self._check_facts()
        self._check_landmarks()
        header, steps, paths, nodes, _, states, landmarks, end = (
            [line for _, line in self._lines[kind]] for kind in ORDER
        )
        return Trace(header[0], steps, paths, nodes, names, _only(states), _only(landmarks), end[0])

    def _fail(self, text: str) -> NoReturn:
        raise InputError(f"{self._source.name}:{self._number}: {text}")

    # ---- line by line

    def _line(self, text: str) -> Line:
        try:
            line = json.loads(text, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            if self._number == 1:
                self._fail(f"is not a trace: a line of JSON was expected; {REMEDY}")
            self._fail(f"is not a line of JSON ({str(error).partition(':')[0]}); was the trace copied whole?")
        kind = line.get("kind") if isinstance(line, dict) else None
        if self._number == 1 and kind != "header":
            self._fail(f'is not a trace: its first line is not of kind "header"; {REMEDY}')
        if not isinstance(kind, str) or kind not in SHAPES:
            self._fail(f"unknown kind of line {json.dumps(kind)}; there are {', '.join(ORDER)}")
        if kind == "header" and line.get("format") != FORMAT:
            self._fail(
                f"is a trace of format {json.dumps(line.get('format'))}, but this banditplan reads format {FORMAT}; "
                "use the version that wrote it, or write it again"
            )
        self._check(line, SHAPES[kind], kind)
        for choice in line.get("choices", ()):
            self._check(choice, CHOICE, "choice")
            for arm in choice["arms"]:
                self._check(arm, ARM, "arm")
        return dict(line)

    def _check(self, item: Any, shape: Shape, what: str) -> None:
        if not isinstance(item, dict):
            self._fail(f"{what}: {_excerpt(item)} is not an object")
        for key, check in shape.items():
            if key not in item:
                self._fail(f'{what}: "{key}" is missing')
            if not check(item[key]):
                self._fail(f'{what}: "{key}" cannot be {_excerpt(item[key])}')

    # ---- what lines say about each other

    def _names(self) -> dict[int, str]:
        self._number, line = self._lines["actions"][0]
        try:
            return {int(number): name for number, name in line["names"].items()}
        except ValueError:
            self._fail("an action that is not named by a number")

    def _check_action(self, names: dict[int, str], action: int) -> None:
        if action not in names:
            self._fail(f"action {action} has no name")

    def _check_nodes(self, names: dict[int, str]) -> None:
        depths: dict[int, int] = {-1: -1}
        for number, line in self._lines["node"]:
            self._number = number
            node, parent = line["node"], line["parent"]
            if node in depths:
                self._fail(f"node {node} for the second time")
            if (node == 0) != (parent == -1) or parent not in depths or line["g"] != depths[parent] + 1:
                self._fail(f"node {node} does not hang under node {parent}")
            if node != 0:
                self._check_action(names, line["action"])
            depths[node] = line["g"]

    def _check_choices(self, names: dict[int, str]) -> None:
        for number, path in self._lines["path"]:
            self._number = number
            if len(path["choices"]) > MOST_CHOICES:
                self._fail(f"more than {MOST_CHOICES} choices")
            for choice in path["choices"]:
                if len(choice["arms"]) > MOST_ARMS:
                    self._fail(f"more than {MOST_ARMS} arms")
                if choice["chosen"] not in [arm["node"] for arm in choice["arms"]]:
                    self._fail(f"the chosen node {choice['chosen']} is not among the arms")
                for arm in choice["arms"]:
                    self._check_action(names, arm["action"])

    def _check_plan(self, names: dict[int, str]) -> None:
        self._number, end = self._lines["end"][0]
        for action in end["plan"]:
            self._check_action(names, action)

    def _check_facts(self) -> None:
        for number, line in self._lines["states"]:
            self._number = number
            names = line["names"]
            for fact in (
                *line["initial"],
                *(fact for lists in line["nodes"].values() for each in lists for fact in each),
            ):
                if str(fact) not in names:
                    self._fail(f"fact {fact} has no name")

    def _check_landmarks(self) -> None:
        for number, line in self._lines["landmarks"]:
            self._number = number
            known = range(len(line["landmarks"]))
            for lists in (line["initial"], *line["nodes"].values()):
                for landmark in (landmark for each in lists for landmark in each):
                    if landmark not in known:
                        self._fail(f"there is no landmark {landmark}")


def _only(lines: list[Line]) -> Line | None:
    return lines[0] if lines else None


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def _excerpt(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
