"""A name that can be that of a file, whatever an algorithm or a column is called."""

from __future__ import annotations

import re


def slug(*parts: str) -> str:
    return "-".join(re.sub(r"[^A-Za-z0-9+._]+", "-", part).strip("-.") for part in parts)
