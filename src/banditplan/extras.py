"""Libraries that only some features need: imported where they are used, with a word on how to get them."""

from __future__ import annotations

import importlib
from typing import Any

from banditplan.errors import MissingExtra


def extra_module(name: str, purpose: str, package: str) -> Any:
    """The module, for the given purpose; raises MissingExtra, which says to install the package."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        library = name.partition(".")[0]
        if error.name is None or error.name.partition(".")[0] != library:
            raise
        raise MissingExtra(purpose, library, package) from None
