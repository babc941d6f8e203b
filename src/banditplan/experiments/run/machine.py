"""Where the runs of an experiment were made, and with what."""

from __future__ import annotations

import os
import platform
from typing import Any

from banditplan.version import VERSION


def versions() -> dict[str, str]:
    """The versions of what a run depends on."""
    return {"banditplan": VERSION, "python": platform.python_version(), "system": platform.platform()}


def machine() -> dict[str, Any]:
    """Name, processor, cores and memory of this machine."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 1024
    return {"host": platform.node(), "processor": _processor(), "cores": os.cpu_count(), "memory_kb": memory}


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
