"""One component, explained: what it is, its options, and an example to try."""

from __future__ import annotations

from banditplan import _core
from banditplan.components import ALIASES, FAMILIES, components
from banditplan.components.spec import parse_search
from banditplan.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# How a component of a family is used in a search.
_FRAMES = {
    "search": "{}",
    "open list": "best_first({})",
    "heuristic": "gbfs(heuristic={})",
    "bandit": "guct(bandit={})",
    "backup": "guct-normal2(backup={})",
}
# What shows more than the bare name does.
_EXAMPLES = {
    ("search", "best_first"): "best_first(alternation([greedy(ff), type(ff)]))",
    ("open list", "alternation"): "alternation([greedy(ff), preferred(greedy(ff))], boost=1000)",
    ("open list", "preferred"): "alternation([greedy(ff), preferred(greedy(ff))], boost=1000)",
    ("open list", "greedy"): "greedy(goalcount, ff)",
    ("open list", "tree"): "tree(ff, bandit=normal2)",
}


def explain_component(name: str) -> str:
    """What `banditplan components NAME` prints; a name that several families have is explained for each of them."""
    if name in ALIASES and name != "guct":
        return _alias(name)
    pages = [_page(family, found[name]) for family, base in FAMILIES if name in (found := components(base))]
    if not pages:
        from banditplan.pddl.faults import similar

        known = [*ALIASES, *(known for _, base in FAMILIES for known in components(base))]
        remedy = similar(name, known) or "; `banditplan components` lists them"
        raise InputError(f'unknown component "{name}"{remedy}')
    return "\n\n".join(pages)


def example(family: str, name: str) -> str:
    """A search text with the component in it."""
    return _FRAMES[family].format(_EXAMPLES.get((family, name), name))


def written(component: Any) -> str:
    """A text with all parts of a component, and those of the other options that are not as they would be anyway."""
    usual = type(component)()
    parts = []
    for place, (option, *_) in enumerate(component.options()):
        name = option.lstrip("*")
        value = getattr(component, name)
        if isinstance(value, tuple):
            items = ", ".join(map(written, value))
            text = items if option.startswith("*") else f"[{items}]"
        elif hasattr(value, "text"):
            text = written(value)
        elif value != getattr(usual, name):
            text = repr(value)
        else:
            continue
        parts.append(text if place == 0 else f"{name}={text}")
    return f"{component.text}({', '.join(parts)})" if parts else str(component.text)


def _page(family: str, component: Any) -> str:
    name: str = component.text
    options: tuple[tuple[str, str, str, str], ...] = component.options()
    lines = [f"{name}, a component of the family {family} (in Python: {component.home}.{component.__name__})"]
    lines += ["", f"  {component.__doc__}"]
    if options:
        lines += ["", "options:"]
    for option, kind, default, doc in options:
        lines += [f"  {f'{option} = {default}':40} {_kind(kind)}", f"      {doc}"]
    if issubclass(component, _core.NamedSearch):
        lines += ["", "in full:", f"  {written(component().sentence)}"]
    return "\n".join([*lines, "", "example:", f"  banditplan solve --example crates --search {_quoted(family, name)}"])


def _alias(name: str) -> str:
    search = parse_search(name)
    lines = [f"{name}, a name for a search", "", f"  {written(search)}", ""]
    if isinstance(search, _core.NamedSearch):
        lines += ["in full:", f"  {written(search.sentence)}", ""]
    kind = ALIASES[name].partition("(")[0]
    lines += [f"Its options are those of {kind}: see `banditplan components {kind}`.", "", "example:"]
    return "\n".join([*lines, f'  banditplan solve --example crates --search "{name}"'])


def _kind(kind: str) -> str:
    """A type as a search text has it: without functions, which only Python has."""
    return kind.partition(" | ")[0].removeprefix("typing.").replace("collections.abc.Sequence", "list")


def _quoted(family: str, name: str) -> str:
    text = example(family, name)
    return f'"{text}"' if "(" in text or "*" in text else text
