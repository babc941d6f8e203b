"""What the person who starts the server decides."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Where to listen, and how much a request may ask for."""

    host: str = "127.0.0.1"
    port: int = 8765
    jobs: int = os.cpu_count() or 1  # runs at the same time
    queue: int = 100  # runs that wait for their turn
    time_limit: float = 300.0  # seconds per run
    memory_limit: int = 2 << 30  # bytes per run
    request_limit: int = 16 << 20  # bytes per request

    @property
    def queue_bytes(self) -> int:
        """What the texts of all waiting runs may take, and what all requests that are being read may take."""
        return 8 * self.request_limit

    @property
    def private(self) -> bool:
        """Whether only this machine can reach the server."""
        if self.host == "localhost":
            return True
        address = ip_address(self.host)
        return address is not None and address.is_loopback


def ip_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that the text is, or None if it is a name."""
    try:
        return ipaddress.ip_address(text.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None
