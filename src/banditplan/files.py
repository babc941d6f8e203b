"""Files: texts are read with errors that name the file, and written in one go."""

from __future__ import annotations

import os

from banditplan.errors import InputError, Source


def read_source(path: str) -> Source:
    """Read a file in UTF-8 (with or without byte order mark) or else Latin-1."""
    return decoded(path, read_bytes(path))


def read_standard_input() -> Source:
    """All of standard input, as `read_source` reads a file."""
    import sys

    try:
        return decoded("<standard input>", sys.stdin.buffer.read())
    except AttributeError:  # there is none
        raise InputError("standard input cannot be read: it is closed") from None
    except OSError as error:
        raise InputError(f"standard input cannot be read: {error.strerror or error}") from None


def read_bytes(path: str) -> bytes:
    """The content of a file; raises InputError, saying why it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: is a directory; give a file inside it") from None
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or str(error)
        raise InputError(f"{path}: cannot be read: {reason}") from None


def decoded(name: str, data: bytes) -> Source:
    """The text of a file, under the name by which errors shall call it."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{name}: is encoded in UTF-16; save it as UTF-8")
    if b"\0" in data:
        raise InputError(f"{name}: is not a text file (byte {data.index(0) + 1} is zero)")
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Source(name, text)


def write_file(path: str, text: str, what: str) -> None:
    """Write a file in one go: whoever reads `path` sees the old file or the whole new one. Errors speak of `what`."""
    try:
        target = os.path.realpath(path)
        if os.path.exists(target) and not os.path.isfile(target):
            _write(target, text, "w")  # a pipe or a device, such as /dev/stdout
            return
        os.makedirs(os.path.dirname(target), exist_ok=True)
        temporary = f"{target}.{os.getpid()}.tmp"
        try:
            _write(temporary, text, "x")
            os.replace(temporary, target)
        except BaseException:
            if os.path.exists(temporary):
                os.remove(temporary)
            raise
    except OSError as error:
        raise InputError(f'cannot write {what} to "{path}": {error.strerror or error}') from error


def remove_file(path: str, what: str) -> None:
    """Remove the file that `write_file` would replace, if there is one: no pipe or device. Errors speak of `what`."""
    target = os.path.realpath(path)
    try:
        if os.path.isfile(target):
            os.remove(target)
    except OSError as error:
        raise InputError(f'cannot remove {what} "{path}": {error.strerror or error}') from error


def check_folder(path: str, what: str, option: str) -> None:
    """Complain about a file that cannot be written before the work that fills it, not after."""
    folder = os.path.dirname(os.path.realpath(path))
    while not os.path.exists(folder):  # it will be made
        folder = os.path.dirname(folder)
    if not path:
        reason = "that is no file name"
    elif os.path.isdir(path):
        reason = "is a directory"
    elif not os.path.isdir(folder):
        reason = f'"{folder}" is no folder'
    else:
        return
    raise InputError(f'cannot write {what} to "{path}": {reason}; choose another {option}')


def _write(path: str, text: str, mode: str) -> None:
    with open(path, mode, encoding="utf-8", newline="\n") as file:
        file.write(text)
