"""Numbers in PDDL texts: costs are whole and not negative."""

from __future__ import annotations

from banditplan.pddl.faults import Fault, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan.pddl.tokens import Node

MAX_COST = 2**31 - 1


def is_number(text: str) -> bool:
    """Whether a word is a decimal number such as 5, -5 or 5.25."""
    whole, _, fraction = text.removeprefix("-").partition(".")
    digits = whole + fraction
    return digits.isascii() and digits.isdecimal()


def read_number(node: Node, index: int) -> int:
    """The whole number at `node[index]`, also written as 5.0."""
    text = node[index]
    if not isinstance(text, str) or not is_number(text):
        raise Fault(node, index, f"expected a number, found {quoted(text)}")
    whole, _, fraction = text.removeprefix("-").partition(".")
    if fraction.strip("0"):
        raise Fault(node, index, f"the number {quoted(text)} is not whole; scale all costs to whole numbers")
    significant = whole.lstrip("0")
    if significant and text[0] == "-":
        raise Fault(node, index, f"the number {quoted(text)} is negative; costs must not be")
    if len(significant) > 10 or int(significant or "0") > MAX_COST:
        raise Fault(node, index, f"the number {quoted(text)} is too large; the largest is {MAX_COST}")
    return int(significant or "0")
