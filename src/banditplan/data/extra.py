"""The libraries of `banditplan[data]`, imported where they are used, with a word on how to get them."""

from __future__ import annotations

from typing import Any

from banditplan.extras import extra_module

PACKAGE = "banditplan[data]"


def numpy() -> Any:
    return extra_module("numpy", "data for learning", PACKAGE)


def pyarrow() -> Any:
    return extra_module("pyarrow", "an Arrow table", PACKAGE)
