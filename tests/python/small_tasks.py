"""Small random tasks of both generators, by the name of their kind."""

from __future__ import annotations

from heuristics.networks import KINDS as NETWORKS
from heuristics.networks import random_network
from random_tasks import FEATURES, random_task

from banditplan import _core

NETWORK = "network-"
KINDS = [*FEATURES, *(NETWORK + kind for kind in NETWORKS)]


def small_task(kind: str, seed: int, size: int) -> _core.Task:
    """The task of that kind and number; a network has `size` atoms beyond those at the start."""
    if kind.startswith(NETWORK):
        return random_network(kind.removeprefix(NETWORK), seed, size).ground()
    return random_task(kind, seed).ground()
