"""The libraries of `banditplan[experiments]`, imported where they are used, with a word on how to get them."""

from __future__ import annotations

import importlib
from typing import Any

from banditplan.errors import MissingExtra


def numpy() -> Any:
    return _module("numpy", "a report")


def scipy_stats() -> Any:
    return _module("scipy.stats", "a report")


def matplotlib() -> Any:
    return _module("matplotlib", "a report")


def pyarrow(module: str = "pyarrow") -> Any:
    return _module(module, "a Parquet file", "pyarrow")


def _module(name: str, purpose: str, package: str = "banditplan[experiments]") -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        library = name.partition(".")[0]
        if error.name is None or error.name.partition(".")[0] != library:
            raise
        raise MissingExtra(purpose, library, package) from None
