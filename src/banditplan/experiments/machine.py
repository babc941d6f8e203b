"""Where the runs of an experiment were made, and with what."""

from __future__ import annotations

import os
import platform
from typing import TypedDict

from banditplan.version import VERSION


def versions() -> dict[str, str]:
    """The versions of what a run depends on."""
    return {"banditplan": VERSION, "python": platform.python_version(), "system": platform.platform()}


class Machine(TypedDict):
    host: str
    processor: str
    cores: int | None
    memory_kb: int | None


def machine() -> Machine:
    """Name, processor, cores and memory of this machine."""
    return {"host": platform.node(), "processor": _processor(), "cores": os.cpu_count(), "memory_kb": _memory_kb()}


def _memory_kb() -> int | None:
    """None where the system does not tell."""
    if not hasattr(os, "sysconf"):
        return None
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 1024


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                name, _, value = line.partition(":")
                if name.strip() == "model name":
                    return value.strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
