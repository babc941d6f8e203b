"""Experiments: suites of instances × algorithms × seeds, run within limits, kept in a ledger, read as a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from banditplan.experiments.ledger import Ledger
    from banditplan.experiments.run.session import run_experiment

_HOMES = {"Ledger": "ledger", "run_experiment": "run.session"}

__all__ = ["Ledger", "run_experiment"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
