"""Files that requests may name: those below one folder, if the person who starts the server gave one."""

from __future__ import annotations

import os
import stat

from banditplan.errors import InputError

TEXT_BEGINS = ("(", ";")


class Root:
    """Texts as they are given, or from files below a folder."""

    def __init__(self, folder: str | None, most: int) -> None:
        """`most` is the largest number of bytes that is read."""
        self._folder = None if folder is None else os.path.realpath(folder)
        self._most = most
        if self._folder is not None and not os.path.isdir(self._folder):
            raise InputError(f"--root {folder}: there is no such folder")

    def text(self, given: str, what: str) -> str:
        """The text itself, or that of the file; raises InputError."""
        start = given.lstrip("\ufeff \t\r\n")
        if not start or start.startswith(TEXT_BEGINS) or "\n" in start:
            return given
        if self._folder is None:
            raise InputError(
                f"{what}: expected a text in PDDL, which begins with a parenthesis or a comment; "
                "this server reads no files, as it was started without --root"
            )
        return self._read(given.strip(), what)

    def _read(self, name: str, what: str) -> str:
        assert self._folder is not None
        if "\0" in name:
            raise InputError(f"{what}: {name!r} is no path")
        path = os.path.realpath(os.path.join(self._folder, name))
        if os.path.commonpath([self._folder, path]) != self._folder:
            raise InputError(f'{what}: "{name}" is not below the folder that this server reads')
        try:
            return self._open(os.path.relpath(path, self._folder), what, name)
        except UnicodeDecodeError:
            raise InputError(f'{what}: "{name}" is not a text in UTF-8') from None
        except OSError as error:
            raise InputError(f'{what}: cannot read "{name}": {error.strerror}') from None

    def _open(self, resolved: str, what: str, name: str) -> str:
        """Folder by folder without following links: whoever exchanges one now gains nothing."""
        assert self._folder is not None
        folders, file = os.path.split(resolved)
        at = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for part in filter(None, folders.split(os.sep)):
                inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=at)
                os.close(at)
                at = inner
            descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=at)
        finally:
            os.close(at)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):  # `open` would raise for a folder, and leave it open
                raise InputError(f'{what}: "{name}" is not a file')
            with open(descriptor, "rb", closefd=False) as opened:
                data = opened.read(self._most + 1)
        finally:
            os.close(descriptor)
        if len(data) > self._most:
            raise InputError(f'{what}: "{name}" is larger than the {self._most:,} bytes that are taken')
        return data.decode("utf-8-sig")
