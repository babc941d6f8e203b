"""What is wrong with an input, and where: file, line, column, the line itself with a caret."""

from __future__ import annotations

from banditplan.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeVar

    E = TypeVar("E", bound="PddlError")

EXCERPT_WIDTH = 120
CHUNK = 1 << 16


@frozen
class Source:
    """A text with the name under which errors speak of it."""

    name: str
    text: str

    def __repr__(self) -> str:
        return f"Source({self.name!r})"


@frozen
class Place:
    """A spot in a source, counted in tokens; line and column are computed only when asked for."""

    source: Source
    token: int

    @property
    def span(self) -> tuple[int, int]:
        """Begin and end of the token in the text; a place behind the last token is the last token."""
        text, left, begin = self.source.text, self.token, 0
        # Chunks of whole lines are counted through, as long as the token cannot be in them.
        while (end := text.find("\n", begin + CHUNK)) >= 0 and (count := _count_tokens(text[begin:end])) < left:
            left -= count
            begin = end
        for number, span in enumerate(spans(text, begin)):
            if number == left:
                return span
        return max(spans(text), default=(0, 0))

    @property
    def line(self) -> int:
        return self.source.text.count("\n", 0, self.span[0]) + 1

    @property
    def column(self) -> int:
        begin = self.span[0]
        return begin - self.source.text.rfind("\n", 0, begin)


TOKENS = r";[^\n]*|([()]|[^\s();?]+|\?[^\s();?]*)"  # the group is empty for a comment


def spans(text: str, start: int = 0) -> Iterator[tuple[int, int]]:
    """Begin and end of each token: a parenthesis or a word; comments reach from `;` to the end of the line."""
    import re

    for found in re.compile(TOKENS).finditer(text, start):
        if found.lastindex:
            yield found.span()


def _count_tokens(text: str) -> int:
    import re

    return len(list(filter(None, re.findall(TOKENS, text))))


class InputError(ValueError):
    """An input that cannot be used; `str()` is the whole text, `message` leaves out the place."""

    def __init__(self, text: str, message: str | None = None) -> None:
        super().__init__(text)
        self.message = text if message is None else message


class PddlError(InputError):
    """An input that cannot be read. `str()` is the whole message, with place and remedy.

    Attributes: `file`, `line` and `column` (both from 1), `message` (without the place) and
    `excerpt` (the offending line and a caret below it). Where reading could go on, `others` are the errors after this
    one, up to nine, and `str()` has them all.
    """

    others: tuple[PddlError, ...] = ()

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *map(str, self.others)])

    def __init__(self, message: str, *, file: str, line: int, column: int, excerpt: str) -> None:
        super().__init__(f"{file}:{line}:{column}: {message}\n{excerpt}", message)
        self.file = file
        self.line = line
        self.column = column
        self.excerpt = excerpt

    @classmethod
    def at(cls: type[E], place: Place, message: str) -> E:
        return cls.between(place.source, place.span, message)

    @classmethod
    def between(cls: type[E], source: Source, span: tuple[int, int], message: str) -> E:
        """An error in the characters of the source from the begin to the end of the span."""
        text, (begin, end) = source.text, span
        line_begin = text.rfind("\n", 0, begin) + 1
        line_end = text.find("\n", begin)
        line = text[line_begin : line_end if line_end >= 0 else len(text)]
        return cls(
            message,
            file=source.name,
            line=text.count("\n", 0, begin) + 1,
            column=begin - line_begin + 1,
            excerpt=_excerpt(line.rstrip(), begin - line_begin, end - line_begin),
        )


class UnsupportedError(PddlError):
    """The input is legal PDDL, but uses a feature that banditplan does not support."""


class MissingExtra(InputError, ImportError):
    """A library that only some features need is not installed; `package` is what to install."""

    def __init__(self, what: str, library: str, package: str) -> None:
        super().__init__(f"{what} needs {library}, which is not installed; run: pip install '{package}'")


def _excerpt(line: str, begin: int, end: int) -> str:
    """The line with carets below the columns from `begin` to `end`; a long line is cut around them."""
    start = max(0, begin - EXCERPT_WIDTH // 2) if len(line) > EXCERPT_WIDTH else 0
    stop = min(len(line), start + EXCERPT_WIDTH)
    # Tabs stay, in both lines, so that the caret stands below the token however wide they are shown;
    # other control characters must not reach a terminal.
    shown = "".join([char if char.isprintable() or char == "\t" else "\ufffd" for char in line])
    left, right = "…" * (start > 0), "…" * (stop < len(line))
    indent = " " * len(left) + "".join(["\t" if char == "\t" else " " for char in line[start:begin]])
    return f"{left}{shown[start:stop]}{right}\n{indent}{'^' * max(1, min(end, stop) - begin)}"
