"""The page around the data: one HTML file with its scripts inside, of which nothing else may run."""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

STATIC = Path(__file__).with_name("static")
LIBRARY = "d3-7.9.2.min.js"  # https://d3js.org, ISC licence: see d3-LICENSE.txt
SCRIPTS = (
    "dom.js", "search.js", "words.js", "chart.js", "curves.js", "formulas.js", "state.js", "arms.js",
    "tree.js", "replay.js", "way.js", "report.js", "compare.js",
)


def document(views: list[dict[str, Any]]) -> str:
    """One view makes a report, two make a comparison."""
    scripts = [_static(name) for name in (LIBRARY, *SCRIPTS, "main.js")]
    values = {
        "title": escape(" and ".join(_title(view) for view in views)),
        "policy": escape(_policy(scripts)),
        "style": _static("page.css"),
        "licence": escape(_static("d3-LICENSE.txt")),
        "data": _data(views),
        "scripts": "\n".join(f"<script>{script}</script>" for script in scripts),
    }
    head, *parts = _static("page.html").split("{{")
    for part in parts:  # values are not searched for further places: names may contain anything
        name, rest = part.split("}}", 1)
        head += values[name] + rest
    return head


def _title(view: dict[str, Any]) -> str:
    return f"{view['algorithm']} on {view['task']['problem']}"


def _data(views: list[dict[str, Any]]) -> str:
    """JSON that no name can break out of: within a script element only `<` could end it."""
    text = json.dumps(views, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _policy(scripts: list[str]) -> str:
    """Only our scripts run, and nothing is loaded."""
    hashes = " ".join(f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts)
    return f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def _static(name: str) -> str:
    with open(STATIC / name, encoding="utf-8") as file:
        return file.read()
