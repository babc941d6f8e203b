"""Which folders of the core look into which: no two into each other, and nothing upwards."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

CORE = Path(__file__).parents[2] / "cpp"

# The rooms of the core, each with those that it may look into; the headers beside the folders are open to all.
MAY_SEE = {
    "task": set(),
    "states": {"task"},
    "ground": {"task"},
    "heuristics": {"task"},
    "landmarks": {"task", "heuristics"},
    "novelty": {"task", "heuristics"},
    "evaluation": {"task", "states", "heuristics"},
    "statistics": set(),
    "backups": {"statistics"},
    "bandits": {"statistics"},
    "open_lists": {"states", "heuristics", "statistics", "backups", "bandits"},
    "searches": {"task", "states", "heuristics", "evaluation", "open_lists", "bandits", "backups"},
    "trace": {"task", "states", "statistics", "backups", "bandits", "open_lists", "searches"},
    "plans": {"task"},
    "play": {"statistics", "bandits"},
}


def included(path: Path) -> set[str]:
    """The folders whose headers a file includes."""
    lines = path.read_text(encoding="utf-8").splitlines()
    names = [line.split('"')[1] for line in lines if line.startswith('#include "')]
    return {name.split("/")[0] for name in names if "/" in name}


def graph() -> dict[str, set[str]]:
    """Folder → the other folders that it looks into."""
    edges: dict[str, set[str]] = defaultdict(set)
    for path in [*CORE.rglob("*.hpp"), *CORE.rglob("*.cpp")]:
        folder = path.relative_to(CORE).parts[0]
        if (CORE / folder).is_dir():
            edges[folder] |= included(path) - {folder}
    return dict(edges)


@pytest.mark.skipif(not CORE.is_dir(), reason="the sources of the core are not here")
def test_no_folder_looks_where_it_should_not() -> None:
    edges = graph()
    assert set(edges) == set(MAY_SEE)
    wrong = {folder: sorted(seen - MAY_SEE[folder]) for folder, seen in edges.items() if seen - MAY_SEE[folder]}
    assert wrong == {}


def test_there_is_no_cycle() -> None:
    """What may be seen is an order: each folder after all those that it sees."""
    done: set[str] = set()
    while left := {folder for folder in MAY_SEE if folder not in done}:
        free = {folder for folder in left if MAY_SEE[folder] <= done}
        assert free, f"a cycle among {sorted(left)}"
        done |= free
