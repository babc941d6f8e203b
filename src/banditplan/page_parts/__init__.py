"""Pages that need nothing else: one HTML file with its data and scripts inside, of which nothing else may run.

What the pages share is in this folder: the frame, the style, D3, and functions for elements and charts.
"""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
LIBRARY = "d3-7.9.2.min.js"  # https://d3js.org, ISC licence: see d3-LICENSE.txt
SHARED = (LIBRARY, "dom.js", "chart.js")


def document(title: str, data: Any, folder: Path, scripts: tuple[str, ...]) -> str:
    """A page with the scripts of a folder, which find the data in the element `data`."""
    texts = [_text(HERE / name) for name in SHARED] + [_text(folder / name) for name in scripts]
    style = folder / "page.css"
    values = {
        "title": escape(title),
        "policy": escape(_policy(texts)),
        "style": _text(HERE / "page.css") + (_text(style) if style.exists() else ""),
        "licence": escape(_text(HERE / "d3-LICENSE.txt")),
        "data": _data(data),
        "scripts": "\n".join(f"<script>{script}</script>" for script in texts),
    }
    head, *parts = _text(HERE / "page.html").split("{{")
    for part in parts:  # values are not searched for further places: names may contain anything
        name, rest = part.split("}}", 1)
        head += values[name] + rest
    return head


def _data(data: Any) -> str:
    """JSON that no name can break out of: within a script element only `<` could end it."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _policy(scripts: list[str]) -> str:
    """Only our scripts run, and nothing is loaded."""
    hashes = " ".join(f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts)
    return f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def _text(path: Path) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()
