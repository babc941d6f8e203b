"""How much of requests is read: bounded in bytes and in time, whether or not the client announces the length."""

from __future__ import annotations

import asyncio
from time import monotonic

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from banditplan.server.guard import refuse
from banditplan.server.settings import ServerSettings

SECONDS_TO_READ = 30.0
DISCARDED = 8  # times the limit: a client that only listens when it has sent everything shall get its answer


class BodyLimit:
    """Answers 413 to a body that is too large, 408 to one that is too slow, 503 if all together are too much."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self.app = app
        self.most = settings.request_limit
        self.most_together = settings.queue_bytes
        self.held = 0  # bytes of all requests that are being read

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body = _Body(self, Headers(scope=scope).get("content-length"), receive, send)
        try:
            await self.app(scope, body.receive, body.send)
        finally:
            body.release()


class _Body:
    """The body of one request, and the answer in its place where it must not be read."""

    def __init__(self, limit: BodyLimit, announced: str | None, receive: Receive, send: Send) -> None:
        self._limit = limit
        self._too_large = announced is not None and announced.isdigit() and int(announced) > limit.most
        self._receive = receive
        self._send = send
        self._read = self._held = 0
        self._deadline = monotonic() + SECONDS_TO_READ
        self._complete = self._refused = False

    async def receive(self) -> Message:
        if self._complete:
            return await self._receive()  # only the end of the connection can come now
        message = await self._timely()
        if message is None:
            return await self._refuse(408, f"the request was not complete after {SECONDS_TO_READ:g} s")
        if message["type"] != "http.request":
            return message
        self._complete = not message.get("more_body", False)
        size = len(message.get("body", b""))
        self._read += size
        if self._too_large or self._read > self._limit.most:
            await self._discard()
            return await self._refuse(413, f"the request is larger than the {self._limit.most:,} bytes that are taken")
        if self._limit.held + size > self._limit.most_together:
            await self._discard()
            return await self._refuse(503, "too many large requests at the same time", {"retry-after": "1"})
        self._limit.held += size
        self._held += size
        if self._complete:
            self.release()
        return message

    async def send(self, message: Message) -> None:
        if not self._refused:
            await self._send(message)

    def release(self) -> None:
        self._limit.held -= self._held
        self._held = 0

    async def _timely(self) -> Message | None:
        try:
            return await asyncio.wait_for(self._receive(), max(self._deadline - monotonic(), 0))
        except asyncio.TimeoutError:
            return None

    async def _discard(self) -> None:
        while not self._complete and self._read <= DISCARDED * self._limit.most:
            message = await self._timely()
            if message is None or message["type"] != "http.request":
                return
            self._read += len(message.get("body", b""))
            self._complete = not message.get("more_body", False)

    async def _refuse(self, status: int, detail: str, headers: dict[str, str] | None = None) -> Message:
        await refuse(self._send, status, detail, {"connection": "close", **(headers or {})})
        self._refused = True
        return {"type": "http.disconnect"}
