"""`banditplan explain`: traces in files → a page in a file."""

from __future__ import annotations

import os

from banditplan.errors import InputError
from banditplan.explain import compare_page, page
from banditplan.files import write_file


def explain(traces: list[str], output: str | None) -> str:
    """Write the report of one trace, or the comparison of two; returns where."""
    target = output or _beside(traces)
    if any(os.path.realpath(target) == os.path.realpath(trace) for trace in traces):
        raise InputError(f'the page would overwrite the trace "{target}"; choose another file with -o')
    texts = [_text(path) for path in traces]
    if len(texts) == 1:
        made = page(texts[0], traces[0])
    else:
        made = compare_page(texts[0], texts[1], (traces[0], traces[1]))
    write_file(target, made, "the page")
    return target


def _beside(traces: list[str]) -> str:
    first, *others = (os.path.splitext(trace)[0] for trace in traces)
    return "-and-".join([first, *map(os.path.basename, others)]) + ".html"


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="\n") as file:
            return file.read()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}:1: is not a trace: it is not a text in UTF-8") from None
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or str(error)
        raise InputError(f"{path}: cannot be read: {reason}") from None
