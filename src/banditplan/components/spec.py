"""Text → component: `gbfs(ff)` is a Python call of known names and literals, and nothing else is executed.

`repr()` of a component gives back a text that this module reads. The papers' names are read, too, and take options:
`guct*-01(ff, c=0.5)` is `guct(ff, bandit=ucb1_01(c=0.5), backup=full_bellman)`. Functions in Python are `mine.bandit`
or, as `repr()` writes them, `python(mine.bandit)`, if whoever reads the text has imported `mine`.
"""

from __future__ import annotations

from banditplan._core import Agile, Heuristic, Race, Search
from banditplan.components import ALIASES, FAMILIES, components, family_of
from banditplan.errors import InputError
from banditplan.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from collections.abc import Iterable, Mapping
    from typing import Any, NoReturn, TypeVar

    T = TypeVar("T")

NO_NAMES: Mapping[str, object] = {}


@frozen
class Text:
    """A text, what it describes with an example of that, the families that it may name, and other values."""

    what: str
    example: str
    code: str
    families: tuple[type, ...]
    names: Mapping[str, object] = NO_NAMES

    def __str__(self) -> str:
        return f'{self.what} "{self.code}"'


def parse_search(text: str, names: Mapping[str, object] = NO_NAMES) -> Search:
    """The search that the text describes; `names` are values that it may use, too. Raises InputError."""
    families = tuple(family for _, family in FAMILIES)
    search = _parse(Text("search", "gbfs(heuristic=ff)", text.strip(), families, names))
    if not isinstance(search, Search):
        raise InputError(f'"{text}" is not a search; known searches: {", ".join(components(Search))}')
    return search


def with_heuristic(search: Search, text: str) -> Search:
    """The search with the heuristic that the text describes; raises InputError, also where it is not clear whose."""
    heuristic = _parse(Text("heuristic", "ff", text.strip(), (Heuristic,)))
    if not isinstance(heuristic, Heuristic):
        raise InputError(f'--heuristic: "{text}" is not a heuristic; known: {", ".join(components(Heuristic))}')
    options = {name: getattr(search, name) for name, _, _, _ in type(search).options()}  # type: ignore[attr-defined]
    if "heuristic" not in options:
        raise InputError(f"--heuristic: {search} does not have one heuristic to set; write them into --search")
    if options["heuristic"] not in (type(search)().heuristic, heuristic):  # type: ignore[attr-defined]
        raise InputError(f"--heuristic: {search} names its heuristic already; give it once")
    return type(search)(**{**options, "heuristic": heuristic})


def with_threads(search: Search, threads: int) -> Search:
    """The race with so many threads; raises InputError for another search."""
    if not isinstance(search, (Race, Agile)):
        raise InputError(f"--threads: {search} is one search; write race([gbfs, lama_first]), for example")
    try:
        return search.with_options(threads=threads)
    except ValueError as error:
        raise InputError(f"--threads: {error}") from None


def parse_component(code: str, kind: str) -> Any:
    """A component of the family that an option of a type written as in the stub takes. Raises InputError."""
    family = family_of(kind)
    assert family is not None
    what = next(name for name, base in FAMILIES if base is family)
    text = Text(what, next(iter(components(family))), code.strip(), (family, *(base for _, base in FAMILIES)))
    found = _parse(text)
    if not isinstance(found, family):
        raise InputError(f'"{code}" is no {what}; known: {", ".join(components(family))}')
    return found


def parse_list(code: str, family: type[T], what: str, example: str) -> tuple[T, ...]:
    """The components of a family in a text such as `ucb1(c=2), normal2`; raises InputError, which speaks of `what`."""
    import ast

    text = Text(what, example, " ".join(code.split()), (family,))  # it may run over several lines
    tree = _tree(text.code, text)
    found = tuple(_read(node, text) for node in (tree.elts if isinstance(tree, ast.Tuple) else [tree]))
    if not all(isinstance(item, family) for item in found):
        raise InputError(f"{text}: expected calls such as {example}, with commas between them")
    return found


def parse_heuristic(code: str) -> Heuristic:
    """The heuristic that the text describes; raises InputError."""
    found = parse_list(code, Heuristic, "heuristic", "hadd")
    if len(found) != 1:
        raise InputError(f'heuristic "{code}": expected one heuristic, such as hadd')
    return found[0]


def _parse(text: Text) -> Any:
    head = text.code.partition("(")[0].rstrip()
    if head not in ALIASES:
        if any(sign in head[1:] for sign in "-*+"):
            _unknown(head, text, ALIASES)
        tree = _tree(text.code, text)
    else:
        tree = _expanded(_tree(ALIASES[head], text), _tree("alias" + text.code[len(head) :], text), text)
    return _read(tree, text)


def _read(tree: ast.expr, text: Text) -> Any:
    try:
        return _value(tree, text, text.families[0])
    except RecursionError:
        raise InputError(f'{text.what} "{text.code[:80]}…" is nested too deeply') from None


def _tree(code: str, text: Text) -> ast.expr:
    import ast

    try:
        return ast.parse(code, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = getattr(error, "msg", None) or str(error)
        raise InputError(f"{text}: {reason}; write calls such as {text.example}") from None


def _expanded(meaning: ast.expr, given: ast.expr, text: Text) -> ast.expr:
    """The call that an alias stands for, with the options that were given to the alias; `c` goes to the bandit."""
    import ast

    assert isinstance(meaning, ast.Call)
    match given:
        case ast.Name():
            return meaning
        case ast.Call(ast.Name(), arguments, keywords) if len(arguments) <= (0 if meaning.args else 1):
            pass
        case _:
            raise InputError(f"{text}: write options as name=value; only the heuristic can go without a name")
    names = {keyword.arg for keyword in keywords}
    options = [keyword for keyword in meaning.keywords if keyword.arg not in names] + keywords
    rates = [keyword for keyword in keywords if keyword.arg == "c"]
    bandits = [option for option in options if option.arg == "bandit"]
    if rates and bandits:
        options = [option for option in options if option.arg != "c"]
        chosen = bandits[0].value
        bandit = chosen if isinstance(chosen, ast.Call) else ast.Call(chosen, [], [])
        bandits[0].value = ast.Call(bandit.func, bandit.args, [*bandit.keywords, *rates])
    return ast.Call(meaning.func, arguments or meaning.args, options)


def _value(node: ast.expr, text: Text, family: type | None) -> Any:
    """What the node stands for; a name that several families have is that of the given one."""
    import ast

    match node:
        case ast.Name(name) if name in text.names:
            return text.names[name]
        case ast.Name(name):
            return _component(name, text, family)()
        case ast.Attribute() | ast.Call(ast.Name("python"), [_], []):
            return _function(node, text)
        case ast.Call(ast.Name(name), arguments, keywords):
            component = _component(name, text, family)
            known = component.options()
            wanted = {option.lstrip("*"): family_of(kind) for option, kind, _, _ in known}
            places = list(wanted.values())
            spread = bool(known) and known[0][0].startswith("*")
            given = [
                _value(argument, text, places[0 if spread else place] if spread or place < len(places) else None)
                for place, argument in enumerate(arguments)
            ]
            options: dict[str, Any] = {}
            for keyword in keywords:
                if keyword.arg is None or keyword.arg in options:
                    wrong = f'"{keyword.arg}" is given twice' if keyword.arg else "** cannot be used"
                    raise InputError(f"{text}: {wrong}; write each option once, as name=value")
                options[keyword.arg] = _value(keyword.value, text, wanted.get(keyword.arg))
            try:
                return component(*given, **options)
            except (TypeError, ValueError) as error:
                raise InputError(f"{text}: {error}") from None
        case ast.List(items):
            return [_value(item, text, family) for item in items]
        case ast.Constant(value):
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as number)):
            return -number
    raise InputError(f"{text}: expected a name, a number, a string or a call such as {text.example}")


def _function(node: ast.expr, text: Text) -> Any:
    """What a Python file that was imported calls by this name."""
    import ast

    match node:
        case ast.Call(ast.Name("python"), [inside], []):
            return _function(inside, text)
        case ast.Attribute(owner, name):
            module = _function(owner, text)
            if hasattr(module, name):
                return getattr(module, name)
            from banditplan.pddl.faults import similar

            known = [each for each in vars(module) if not each.startswith("_")] if hasattr(module, "__dict__") else []
            raise InputError(f'{text}: {ast.unparse(owner)} has no "{name}"{similar(name, known)}')
        case ast.Name(name) if name in text.names:
            return text.names[name]
        case ast.Name(name):
            remedy = f"give --import {name}.py or, in Python, the function itself"
            raise InputError(f'{text}: no Python file "{name}.py" was imported; {remedy}')
    raise InputError(f"{text}: expected the name of a function, such as mine.bandit")


def _component(name: str, text: Text, family: type | None) -> Any:
    families = [components(each) for each in sorted(text.families, key=lambda each: each is not family)]
    for found in families:
        if name in found:
            return found[name]
    return _unknown(name, text, [known for found in families for known in found])


def _unknown(name: str, text: Text, known: Iterable[str]) -> NoReturn:
    from banditplan.pddl.faults import similar

    remedy = similar(name, known) or "; known: " + ", ".join(known)
    raise InputError(f'{text}: unknown component "{name}"{remedy}')
