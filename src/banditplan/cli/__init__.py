"""The command line: the Python API in words, a module per command. Here is how it tells its caller what came of it."""

from __future__ import annotations

# As Fast Downward's driver.
EXIT_CODES = {
    "solved": 0,
    "grounded": 0,
    "unsolvable": 11,
    "exhausted": 12,
    "evaluation-limit": 12,
    "expansion-limit": 12,
    "memory-limit": 22,
    "time-limit": 23,
    "interrupted": 130,
    "error": 35,
}
INTERRUPTED = EXIT_CODES["interrupted"]
OUT_OF_MEMORY = EXIT_CODES["memory-limit"]
INTERNAL_ERROR = EXIT_CODES["error"]
INVALID_PLAN = 1
BAD_INPUT = 31
UNSUPPORTED = 34
