"""`Domain`, read and normalised once for many problems, and `Problem`, given as objects of Python instead of a text."""

from __future__ import annotations

from banditplan.errors import InputError, Source
from banditplan.given import source_of
from banditplan.normalize.actions import ready_actions
from banditplan.pddl.parser import read_once
from banditplan.pddl.tokens import read_tree
from banditplan.states import facts_of, tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from banditplan.given import Pddl
    from banditplan.pddl.tokens import Item, Node
    from banditplan.states import Facts, Goal


class Domain:
    """A domain, from a path or a text in PDDL, that is parsed and, as far as problems do not matter, normalised once;
    `load` and `solve` take it where they take a path.

    >>> import banditplan as bp
    >>> domain, problem = bp.example("crates")
    >>> domain = bp.Domain(domain)
    >>> bp.solve(domain, problem).solved
    True
    """

    def __init__(self, pddl: Pddl) -> None:
        source = source_of(pddl, "domain")
        self.source = source.name
        self.read = read_once(source)
        self.actions = ready_actions(self.read.syntax)

    @property
    def name(self) -> str:
        return self.read.syntax.name

    def __repr__(self) -> str:
        syntax = self.read.syntax
        return f"<Domain {syntax.name}: {len(syntax.actions)} actions, {len(syntax.predicates)} predicates>"


class Problem:
    """A problem of a domain, without a text.

    `objects` maps names to types; without types, it is a list of names. `init` are the true facts, as `Task.state`
    takes them; `goal` is a condition in PDDL, or facts. `values` are those of numeric functions, such as
    {"(distance a b)": 3}; with `minimize_cost` plans are to be cheap, not short.
    """

    def __init__(
        self,
        objects: Mapping[str, str] | Iterable[str],
        init: Facts,
        goal: Goal,
        *,
        values: Mapping[str, int] | None = None,
        minimize_cost: bool = False,
        name: str = "problem",
    ) -> None:
        self.name = name
        typed: list[Item] = [":objects"]
        if hasattr(objects, "items"):
            for each, its_type in objects.items():
                typed += [_name(each), "-", _name(its_type)]
        else:
            typed += [_name(each) for each in objects]
        self.sections: dict[str, list[Item]] = {
            ":objects": typed,
            ":init": [":init", *(_group(fact) for fact in facts_of(init))],
            ":goal": [":goal", _goal(goal)],
        }
        for function, value in (values or {}).items():
            self.sections[":init"].append(["=", _group(function), str(value)])
        if minimize_cost:
            self.sections[":metric"] = [":metric", "minimize", ("total-cost",)]

    def __repr__(self) -> str:
        return f"<Problem {self.name}>"


def _name(word: object) -> str:
    if not isinstance(word, str) or not word or any(char.isspace() or char in "();?" for char in word):
        raise InputError(f"expected a name, not {word!r}")
    return word.lower()


def _group(text: str) -> Node:
    """A fact, as a tree has it."""
    words = tokens(text)
    if len(words) < 3 or words[0] != "(" or words[-1] != ")" or {"(", ")"} & set(words[1:-1]):
        raise InputError(f"expected a fact such as (at r1 north), not {text!r}")
    return tuple(words[1:-1])


def _goal(goal: Goal) -> Item:
    text = goal if isinstance(goal, str) else f"(and {' '.join(facts_of(goal))})"
    tree = read_tree(Source("<goal>", text))
    if len(tree.root) != 1:
        raise InputError("the goal is a single condition; join several by (and …)")
    return tree.root[0]
