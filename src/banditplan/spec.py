"""Text → component: `gbfs(ff)` is a Python call of known names and literals, and nothing else is executed.

`repr()` of a component gives back a text that this module reads. The papers' names are read, too, and take options:
`guct*-01(ff, c=0.5)` is `guct(ff, bandit=ucb1_01(c=0.5), backup=full_bellman)`.
"""

from __future__ import annotations

from banditplan._core import Search
from banditplan.components import ALIASES, FAMILIES, components
from banditplan.pddl.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from collections.abc import Iterable, Mapping
    from typing import Any, NoReturn

NO_NAMES: Mapping[str, object] = {}


def parse_search(text: str, names: Mapping[str, object] = NO_NAMES) -> Search:
    """The search that the text describes; `names` are values that it may use, too. Raises InputError."""
    search = _parse(text, names)
    if not isinstance(search, Search):
        raise InputError(f'"{text}" is not a search; known searches: {", ".join(components(Search))}')
    return search


def _parse(text: str, names: Mapping[str, object]) -> Any:
    text = text.strip()
    head = text.partition("(")[0].rstrip()
    if head not in ALIASES:
        if "-" in head[1:] or "*" in head[1:]:
            _unknown(head, text, ALIASES)
        tree = _tree(text, text)
    else:
        tree = _expanded(_tree(ALIASES[head], text), _tree("alias" + text[len(head) :], text), text)
    try:
        return _value(tree, text, names)
    except RecursionError:
        raise InputError(f'search "{text[:80]}…" is nested too deeply') from None


def _tree(code: str, text: str) -> ast.expr:
    import ast

    try:
        return ast.parse(code, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = getattr(error, "msg", None) or str(error)
        raise InputError(f'search "{text}": {reason}; a search reads like gbfs(heuristic=ff)') from None


def _expanded(meaning: ast.expr, given: ast.expr, text: str) -> ast.expr:
    """The call that an alias stands for, with the options that were given to the alias; `c` goes to the bandit."""
    import ast

    assert isinstance(meaning, ast.Call)
    match given:
        case ast.Name():
            return meaning
        case ast.Call(ast.Name(), arguments, keywords) if len(arguments) <= 1:
            pass
        case _:
            raise InputError(f'search "{text}": write options as name=value; only the heuristic can go without a name')
    names = {keyword.arg for keyword in keywords}
    options = [keyword for keyword in meaning.keywords if keyword.arg not in names] + keywords
    for option in options:
        if option.arg == "bandit":
            rates = [keyword for keyword in keywords if keyword.arg == "c"]
            options = [keyword for keyword in options if keyword.arg != "c"]
            bandit = option.value if isinstance(option.value, ast.Call) else ast.Call(option.value, [], [])
            option.value = ast.Call(bandit.func, bandit.args, [*bandit.keywords, *rates])
    return ast.Call(meaning.func, arguments, options)


def _value(node: ast.expr, text: str, names: Mapping[str, object]) -> Any:
    import ast

    match node:
        case ast.Name(name) if name in names:
            return names[name]
        case ast.Name(name):
            return _component(name, text)()
        case ast.Call(ast.Name(name), arguments, keywords):
            given = [_value(argument, text, names) for argument in arguments]
            options: dict[str, Any] = {}
            for keyword in keywords:
                if keyword.arg is None or keyword.arg in options:
                    wrong = f'"{keyword.arg}" is given twice' if keyword.arg else "** cannot be used"
                    raise InputError(f'search "{text}": {wrong}; write each option once, as name=value')
                options[keyword.arg] = _value(keyword.value, text, names)
            try:
                return _component(name, text)(*given, **options)
            except (TypeError, ValueError) as error:
                raise InputError(f'search "{text}": {error}') from None
        case ast.Constant(value):
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as number)):
            return -number
    raise InputError(f'search "{text}": expected a name, a number, a string or a call such as gbfs(heuristic=ff)')


def _component(name: str, text: str) -> type:
    known = {name: item for _, family in FAMILIES for name, item in components(family).items()}
    if name not in known:
        _unknown(name, text, known)
    return known[name]


def _unknown(name: str, text: str, known: Iterable[str]) -> NoReturn:
    from banditplan.pddl.faults import similar

    remedy = similar(name, known) or "; known: " + ", ".join(known)
    raise InputError(f'search "{text}": unknown component "{name}"{remedy}')
