"""Text to nested groups: `(a (b c))` becomes `["a", ("b", "c")]`.

A group that holds only words is a tuple, any other is a list. Fully ground tasks repeat the same
few thousand atoms a hundred thousand times, so equal tuples are one object, and words carry no
positions: whoever finds an error reads the text again, exactly (see `faults`).
"""

from __future__ import annotations

from banditplan.checks import thin_out, unchecked
from banditplan.errors import PddlError, Source
from banditplan.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NoReturn, TypeAlias

    from banditplan.checks import Check

    Item: TypeAlias = "str | Node"
    Node: TypeAlias = "list[Item] | tuple[str, ...]"

# Deeper formulas would exhaust the stack of the recursive functions that walk over them.
MAX_DEPTH = 250

# Built-in string functions cannot be interrupted, so they get pieces of a few milliseconds.
CHUNK = 1 << 16


@frozen
class Tree:
    """The groups of a source; `starts` gives the first token of the sections that are lists, by index."""

    source: Source
    root: list[Item]
    starts: dict[int, int]

    def let_go(self, check: Check) -> None:
        """Free the groups of a large text, of which nothing is needed any more."""
        for item in self.root if len(self.source.text) > CHUNK else ():
            while isinstance(item, list) and item:
                section = item.pop()
                if isinstance(section, list):
                    thin_out(section, check)


class ExactLeaf(tuple[str, ...]):
    """A tuple that is distinct from its equals, so that its identity tells its place."""

    __slots__ = ()


def read_tree(source: Source, check: Check = unchecked, *, exact: bool = False) -> Tree:
    """The groups of a source, in lower case; if `exact`, no two groups are the same object."""
    before, opening, text = _without_comments(source.text, check).partition("(")
    root: list[Item] = [*_folded(before).split()]
    if ")" in before:
        _complain(source)
    if not opening:
        return Tree(source, root, {})
    group = root
    ancestors: list[list[Item]] = []
    starts: dict[int, int] = {}
    shapes: dict[str, tuple[tuple[str, ...], list[list[str]] | None, int]] = {}
    known = shapes.get
    token = len(root)
    try:
        for chunk in _chunks(text, "("):
            check()
            for piece in _folded(chunk).split("("):
                shape = known(piece)
                if shape is None:
                    shape = _shape(piece, check)
                    if exact:
                        shape = (ExactLeaf(shape[0]), *shape[1:])
                    else:
                        shapes[piece] = shape
                words, tails, size = shape
                if tails is None:
                    if len(ancestors) == 1:
                        starts[len(group)] = token
                    elif len(ancestors) == MAX_DEPTH:
                        _complain(source)
                    ancestors.append(group)
                    inner: list[Item] = [*words]
                    group.append(inner)
                    group = inner
                else:
                    group.append(words)
                    if tails:
                        group.extend(tails[0])
                        for tail in tails[1:]:
                            group = ancestors.pop()
                            group.extend(tail)
                token += size
    except IndexError:
        _complain(source)
    if ancestors:
        _complain(source)
    thin_out(shapes, check)
    return Tree(source, root, starts)


def _folded(text: str) -> str:
    """In lower case. A question mark begins a word of its own: some domains write `(p?x)`."""
    return text.lower().replace("?", " ?")


def _shape(piece: str, check: Check) -> tuple[tuple[str, ...], list[list[str]] | None, int]:
    """What follows an opening parenthesis, up to the next one: words, tails and number of tokens.

    The tails are the words after each closing parenthesis. Without any closing parenthesis they are
    None; the usual single one with nothing behind it gives the empty list.
    """
    inside, *behind = piece.split(")")
    words = tuple(inside.split() if len(inside) <= CHUNK else _words(inside, check))
    if not behind:
        return words, None, len(words) + 1
    tails = [tail.split() if len(tail) <= CHUNK else _words(tail, check) for tail in behind]
    size = len(words) + 1 + len(tails) + sum([len(tail) for tail in tails])
    return words, tails if len(tails) > 1 or tails[0] else [], size


def _words(text: str, check: Check) -> list[str]:
    words = []
    for chunk in _chunks(text, " "):
        check()
        words += chunk.split()
    return words


def _without_comments(text: str, check: Check) -> str:
    if ";" not in text:
        return text
    kept = []
    for chunk in _chunks(text, "\n"):
        check()
        first, *rest = chunk.split(";")
        kept.append(first)
        kept += [part.partition("\n")[2] for part in rest]
    return "\n".join(kept)


def _chunks(text: str, mark: str) -> Iterator[str]:
    """Cut a text at some of its marks, which are left out, into chunks of moderate length."""
    begin = 0
    while (end := text.find(mark, begin + CHUNK)) >= 0:
        yield text[begin:end]
        begin = end + 1
    yield text[begin:]


def _complain(source: Source) -> NoReturn:
    """Find the parenthesis that is too many, too deep or never closed."""
    import re

    opened: list[int] = []
    suspect = None

    def fail(begin: int, message: str) -> NoReturn:
        raise PddlError.between(source, (begin, begin + 1), message)

    for found in re.finditer(r";[^\n]*|[()]|(?<=\():[^\s();?]+", source.text):
        begin, char = found.start(), source.text[found.start()]
        if char == "(":
            opened.append(begin)
            if len(opened) > MAX_DEPTH + 1:
                fail(begin, f"nested more than {MAX_DEPTH} levels deep")
        elif char == ")":
            if not opened:
                fail(begin, "this parenthesis closes nothing; remove it")
            opened.pop()
        elif char == ":" and len(opened) > 2 and suspect is None:
            # A section begins inside another one, so what is open just before should have been closed,
            # even if the parenthesis that is meant for `define` closes it in the end.
            is_section = found[0].lower() not in (":serial", ":parallel")
            suspect = opened[-2] if is_section else None
    fail(opened[-1] if suspect is None else suspect, "this parenthesis is never closed")
