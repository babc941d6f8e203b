"""The figures of the paper, from `paper.json`: numbers only, with their source."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from banditplan.experiments.report.algorithm import algorithm

# Where the paper has figures of two planners, the first that has one is shown.
PLANNERS = ("Pyperplan", "Fast Downward")


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(Path(__file__).with_name("paper.json").read_text(encoding="utf-8"))
    return data


def source() -> str:
    return str(_data()["source"])


def stated_instances() -> int:
    """How many instances the paper says it used."""
    return int(_data()["instances"])


def evaluation_limit() -> int:
    """Of Table 1 and of the table by domain."""
    return int(_data()["table1"]["evaluations"])


def domains() -> frozenset[str]:
    """Those of Table 1."""
    return frozenset(_data()["domains"]["rows"])


def ipc18_domains() -> frozenset[str]:
    return frozenset(_data()["ipc18"]["rows"])


def sizes() -> dict[str, int]:
    """How many instances of each domain the suite `paper` has."""
    return dict(_data()["sizes"]["paper"])


def total(name: str, column: str, run_on: Mapping[str, int]) -> float | None:
    """Coverage of Table 1; on a part of its domains, the sum over them as far as the paper tells it.

    `run_on` has the numbers of instances that were run, by domain; None if they are not those of the suite.
    """
    if dict(run_on) == sizes():
        found = planner(name, column)
        return None if found is None else _coverage(name, column, found)
    parts = [of_domain(name, column, *domain) for domain in run_on.items()]
    known = [part for part in parts if part is not None]
    return sum(known) if parts and len(known) == len(parts) else None


def planner(name: str, column: str) -> str | None:
    """Which planner the figure in Table 1 is of."""
    return next((planner for planner in PLANNERS if _coverage(name, column, planner) is not None), None)


def of_domain(name: str, column: str, domain: str, size: int) -> float | None:
    """Coverage in a domain of Table 1, if as many instances were run as there are."""
    if sizes().get(domain) != size:
        return None
    return _number(_data()["domains"]["rows"][domain].get(column, {}), name)


def of_ipc18(name: str, column: str, domain: str, size: int) -> float | None:
    """Coverage in a domain of IPC 2018 within 300 seconds, if as many instances were run as there are."""
    data = _data()["ipc18"]
    if _data()["sizes"]["ipc18"].get(domain) != size or column != data["column"]:
        return None
    return _number(data["rows"][domain], name)


def _number(row: dict[str, float], name: str) -> float | None:
    parts = algorithm(name)
    return row.get(parts.unlabelled) if parts.c in (None, 1.0) else None


def _coverage(name: str, column: str, of: str) -> float | None:
    parts = algorithm(name)
    for row in _data()["table1"]["rows"]:
        if (row["algorithm"], row["c"], row["planner"]) == (parts.unlabelled, parts.c, of):
            figure: float | None = row["coverage"].get(column)
            return figure
    return None
