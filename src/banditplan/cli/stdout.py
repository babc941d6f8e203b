"""Standard output: plans, records, tables. Everything is flushed when it is written."""

from __future__ import annotations

import os
import sys

from banditplan.errors import InputError


def print_line(text: str) -> None:
    """Write a line to standard output."""
    write(f"{text}\n")


def write(text: str) -> None:
    """Write to standard output. A reader who has left, such as `head`, is no error; a full disk is."""
    if sys.stdout is None:
        raise InputError("cannot write to standard output: it is closed")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write to standard output: {error}") from None
