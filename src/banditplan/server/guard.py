"""Who may talk to the server: nobody through a web page of somebody else.

A page from anywhere can send requests to this machine's loopback address. The browser names the page's origin in them,
so they are told apart. A name that was made to point to this machine (DNS rebinding) shows in the Host header.
Programs such as editors and curl send no Origin, and are welcome.
"""

from __future__ import annotations

import json
from socket import gethostname
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from banditplan.server.settings import ServerSettings, ip_address

SECURITY = {
    "content-security-policy": "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


class Guard:
    """Refuses requests for other hosts and from other origins; puts security headers on every answer."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self.app = app
        self.names = {"localhost", settings.host.lower(), gethostname().lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY.items():
                    headers.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        host = headers.get("host", "")
        origin = headers.get("origin")
        if not self._known(host):
            wrong = f'this server does not answer for the host "{host}"; use its address or localhost'
            await refuse(send_secured, 421, wrong)
        elif origin is not None and _host(origin) != host:
            await refuse(send_secured, 403, f'requests from pages of "{origin}" are refused')
        else:
            await self.app(scope, receive, send_secured)

    def _known(self, host: str) -> bool:
        """An address cannot be rebound; a name must be one of ours."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self.names or ip_address(name) is not None


def _host(origin: str) -> str | None:
    """The host of an origin, with its port; None if it is not one."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


async def refuse(send: Send, status: int, detail: str, headers: dict[str, str] | None = None) -> None:
    """A whole answer, as FastAPI words its own."""
    body = json.dumps({"detail": detail}).encode()
    fields = {"content-type": "application/json", "content-length": str(len(body)), **(headers or {})}
    raw = [(name.encode(), value.encode()) for name, value in fields.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})
