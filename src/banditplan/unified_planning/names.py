"""Names of Unified Planning → names in PDDL."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Names:
    """Different texts that PDDL would accept for different items, such as objects."""

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        self._taken = set(reserved)

    def new(self, name: str) -> str:
        """The name itself, if it is lower-case PDDL that nobody has; else something that resembles it."""
        kept = [char if (char.isalnum() and char.isascii()) or char in "-_" else "_" for char in name.lower()]
        text = base = "".join(kept) if kept and kept[0].isalpha() else "x" + "".join(kept)
        number = 2
        while text in self._taken:
            text = f"{base}-{number}"
            number += 1
        self._taken.add(text)
        return text
