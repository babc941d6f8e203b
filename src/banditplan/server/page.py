"""The page: files of our own, read once at the start, so that no request ever names a file."""

from __future__ import annotations

from importlib.resources import files

from fastapi import APIRouter, Response

TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


def router() -> APIRouter:
    pages = APIRouter(include_in_schema=False)
    for file in files("banditplan.server").joinpath("static").iterdir():
        kind = TYPES.get(file.name.rpartition(".")[2])
        if kind is not None:
            path = "/" if file.name == "index.html" else f"/static/{file.name}"
            _add(pages, path, file.read_bytes(), f"{kind}; charset=utf-8")
    return pages


def _add(pages: APIRouter, path: str, data: bytes, kind: str) -> None:
    @pages.api_route(path, methods=["GET", "HEAD"])
    def get() -> Response:
        return Response(data, media_type=kind, headers={"Cache-Control": "no-cache"})
