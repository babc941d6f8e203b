"""Python files that search texts take functions from. They are executed because somebody who owns the command line, or
the definition of an experiment, said so; a text alone never leads here."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from types import ModuleType

from banditplan.errors import InputError


@dataclass(frozen=True, slots=True)
class PythonFile:
    """Plain data, sent along to the processes that run the functions. The functions of `mine.py` are `mine.NAME`; if
    `bare`, they are NAME, too."""

    file: str
    text: str
    bare: bool = False

    @property
    def name(self) -> str:
        return os.path.basename(self.file).removesuffix(".py")

    def module(self) -> ModuleType:
        """Execute it."""
        folder = os.path.dirname(self.file)
        if folder not in sys.path:
            sys.path.insert(0, folder)
        module = ModuleType(self.name)
        module.__file__ = self.file
        try:
            exec(compile(self.text, self.file, "exec"), vars(module))
        except Exception as error:
            import traceback

            frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == self.file]
            line = frames[-1].lineno if frames else getattr(error, "lineno", None)
            place = f"{self.file}:{line}" if line else self.file
            raise InputError(f"{place}: {type(error).__name__}: {error}") from error
        return module


def read_python_file(path: str, *, bare: bool = False) -> PythonFile:
    """Read it, without executing anything; raises InputError."""
    from banditplan.files import read_source

    name = os.path.basename(path)
    if not (name.endswith(".py") and name.removesuffix(".py").isidentifier()):
        raise InputError(f"{path}: not the name of a Python module, such as mine.py")
    return PythonFile(os.path.abspath(path), read_source(path).text, bare)


def names(files: Iterable[PythonFile]) -> dict[str, object]:
    """Execute the files; returns what search texts may use, by name."""
    found: dict[str, object] = {}
    for file in files:
        if file.name in found:
            raise InputError(f"{file.file}: another file with that name was imported; rename one of them")
        module = file.module()
        found |= {file.name: module, **(vars(module) if file.bare else {})}
    return found


def digest(file: PythonFile) -> str:
    """Tells whether two files have the same text."""
    from hashlib import sha256

    return sha256(file.text.encode()).hexdigest()
