"""The libraries of `banditplan[experiments]`, imported where they are used, with a word on how to get them."""

from __future__ import annotations

from typing import Any

from banditplan.extras import extra_module

PACKAGE = "banditplan[experiments]"


def numpy() -> Any:
    return extra_module("numpy", "a report", PACKAGE)


def scipy_stats() -> Any:
    return extra_module("scipy.stats", "a report", PACKAGE)


def matplotlib() -> Any:
    return extra_module("matplotlib", "a report", PACKAGE)


def pyarrow(module: str = "pyarrow") -> Any:
    return extra_module(module, "a Parquet file", "pyarrow")
