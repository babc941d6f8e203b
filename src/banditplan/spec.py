"""Text → component: `gbfs(ff)` is a Python call of known names and literals, and nothing else is executed.

`repr()` of a component gives back a text that this module reads.
"""

from __future__ import annotations

from banditplan._core import Search
from banditplan.components import ALIASES, FAMILIES, components
from banditplan.pddl.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from typing import Any


def parse_search(text: str) -> Search:
    """The search that the text describes; raises InputError."""
    search = _parse(text)
    if not isinstance(search, Search):
        raise InputError(f'"{text}" is not a search; known searches: {", ".join(components(Search))}')
    return search


def _parse(text: str) -> Any:
    import ast

    text = ALIASES.get(text.strip(), text).strip()
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = getattr(error, "msg", None) or str(error)
        raise InputError(f'search "{text}": {reason}; a search reads like gbfs(heuristic=ff)') from None
    try:
        return _value(tree, text)
    except RecursionError:
        raise InputError(f'search "{text[:80]}…" is nested too deeply') from None


def _value(node: ast.expr, text: str) -> Any:
    import ast

    match node:
        case ast.Name(name):
            return _component(name, text)()
        case ast.Call(ast.Name(name), arguments, keywords):
            given = [_value(argument, text) for argument in arguments]
            options: dict[str, Any] = {}
            for keyword in keywords:
                if keyword.arg is None or keyword.arg in options:
                    wrong = f'"{keyword.arg}" is given twice' if keyword.arg else "** cannot be used"
                    raise InputError(f'search "{text}": {wrong}; write each option once, as name=value')
                options[keyword.arg] = _value(keyword.value, text)
            try:
                return _component(name, text)(*given, **options)
            except TypeError as error:
                raise InputError(f'search "{text}": {error}') from None
        case ast.Constant(value):
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as number)):
            return -number
    raise InputError(f'search "{text}": expected a name, a number, a string or a call such as gbfs(heuristic=ff)')


def _component(name: str, text: str) -> type:
    known = {name: item for _, family in FAMILIES for name, item in components(family).items()}
    if name not in known:
        from banditplan.pddl.faults import similar

        remedy = similar(name, known) or "; known: " + ", ".join(known)
        raise InputError(f'search "{text}": unknown component "{name}"{remedy}')
    return known[name]
