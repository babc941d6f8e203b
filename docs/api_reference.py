"""The page of the Python API: signatures and docstrings are read from the code and the stub of the compiled module,
examples from docstrings, from the registry of components, and from `EXAMPLES`. The tests run all of them."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from typing import Any

import banditplan as bp
from banditplan import _core
from banditplan.components import FAMILIES, components
from banditplan.components.page import example as search_text

# What neither a docstring nor the registry shows.
EXAMPLES = {
    "Arms": """
>>> def least_mean(arms):  # called with `Arms`, wherever a bandit is expected
...     assert len(arms.mean) == len(arms.count) == len(arms)
...     return arms.mean
>>> bp.solve(*bp.example("crates"), search=bp.Guct(bandit=least_mean)).solved
True
""",
    "Backup": """
>>> isinstance(bp.FullBellman(), bp.Backup)
True
""",
    "Bandit": """
>>> bandit = bp.Ucb1Normal2()  # two arms: the second one is worse in the mean, but varies
>>> bandit.choose(count=[5, 5], mean=[4, 5], variance=[0, 9], minimum=[4, 1], maximum=[4, 9], total=10)
1
""",
    "Evaluator": """
>>> task = bp.load(*bp.example("crates"))
>>> evaluator = bp.Ff().bind(task)
>>> evaluator.evaluate([task.initial_state])
[13.0]
>>> evaluator.preferred([task.initial_state])
[[(up ground first)]]
""",
    "Finding": """
>>> [finding] = bp.check("(define (domain d) (:predicates (lit)) (:action a :effect (lti)))")
>>> finding.severity, finding.line, finding.suggestion
('error', 1, 'did you mean "lit"?')
""",
    "GroundAction": """
>>> action = bp.load(*bp.example("crates")).actions[0]
>>> action.name, action.arguments, action.cost
('up', ('ground', 'first'), 1)
""",
    "Heuristic": """
>>> task = bp.load(*bp.example("crates"))
>>> bp.HMax().bind(task).evaluate([task.initial_state]) <= bp.HAdd().bind(task).evaluate([task.initial_state])
True
""",
    "InputError": """
>>> try:
...     bp.solve("nowhere.pddl", "problem.pddl")
... except bp.InputError as error:
...     print(error)
nowhere.pddl: no such file
""",
    "Landmark": """
>>> landmark = bp.load(*bp.example("crates")).landmarks().landmarks[0]
>>> len(landmark.facts) == 1 or landmark.disjunctive
True
""",
    "LandmarkGraph": """
>>> bp.load(*bp.example("crates")).landmarks()
<LandmarkGraph: 21 landmarks, 60 orders>
""",
    "LimitReached": """
>>> try:
...     bp.load(*bp.example("crates"), time_limit=1e-9)
... except bp.LimitReached as reached:
...     print(reached.status)
time-limit
""",
    "ManyPlans": """
>>> plans = bp.solve_many(*bp.example("courier"), plans=3)
>>> [each.plan_cost for each in plans] == sorted(each.plan_cost for each in plans)
True
>>> plans.end.plan_cost == plans[0].plan_cost
True
""",
    "NamedSearch": """
>>> str(bp.Gbfs().sentence)
'best_first'
""",
    "OpenList": """
>>> frontier = bp.GreedyList().frontier()
>>> frontier.push(1, h=7)
>>> frontier.push(2, h=3)
>>> frontier.pop()
2
""",
    "PddlError": """
>>> from pathlib import Path
>>> domain, problem = bp.example("crates")
>>> text = Path(domain).read_text().replace("(and (lift-at ?f)", "(and (lift-a ?f)")
>>> try:
...     bp.solve(text, problem)
... except bp.PddlError as error:
...     print(error.line, error.message)
12 unknown predicate "lift-a"; did you mean "lift-at"?
""",
    "Plans": """
>>> plans = bp.solve_anytime(*bp.example("lights"))
>>> best = list(plans)[-1]
>>> best.plan_cost == plans.end.plan_cost
True
""",
    "Problem": """
>>> domain = "(define (domain d) (:predicates (lit ?x)) (:action light :parameters (?x) :effect (lit ?x)))"
>>> problem = bp.Problem(objects=["lamp", "candle"], init=["(lit lamp)"], goal=["(lit lamp)", "(lit candle)"])
>>> print(*bp.solve(domain, problem).plan)
(light candle)
""",
    "PythonBandit": """
>>> def mine(arms):
...     return arms.mean
>>> bp.Guct(bandit=mine).bandit == bp.Guct(bandit=mine).bandit
True
""",
    "PythonHeuristic": """
>>> def zero(states):
...     return [0] * len(states)
>>> bp.Gbfs(zero) == bp.Gbfs(bp.PythonHeuristic(zero))
True
""",
    "Reason": """
>>> reason = bp.explain_unsolvable(*bp.example("island")).reasons[0]
>>> reason.fact, reason.needs
('(searched treasure-island)', (('search', '(at treasure-island)'),))
""",
    "Replan": """
>>> task = bp.load(*bp.example("crates"))
>>> plan = bp.solve(task).plan
>>> state = task.apply(task.initial_state, task.applicable(task.initial_state)[0])  # the first step is done
>>> again = bp.replan(task, plan, state)
>>> len(again.new), again.kept_from, again.kept == plan[1:]
(0, 1, True)
""",
    "Result": """
>>> result = bp.solve(*bp.example("crates"))
>>> result.solved, result.valid, len(result.plan) == result.plan_length
(True, True, True)
>>> result.to_dict()["limits"]["time_limit"] is None
True
""",
    "Search": """
>>> task = bp.load(*bp.example("crates"))
>>> [bp.solve(task, search=search).status for search in (bp.Gbfs(), bp.Guct(bandit="normal2"))]
['solved', 'solved']
""",
    "State": """
>>> state = bp.load(*bp.example("crates")).initial_state
>>> state.facts[:2]
['(lift-at ground)', '(stored piano attic)']
""",
    "States": """
>>> def first_variable(states):  # called with `States`, wherever a heuristic is expected
...     return [state.values[0] for state in states]
>>> bp.solve(*bp.example("crates"), search=bp.Gbfs(first_variable)).solved
True
""",
    "Step": """
>>> step = bp.solve(*bp.example("crates")).plan[0]
>>> step.name, step.arguments, str(step)
('up', ('ground', 'first'), '(up ground first)')
""",
    "Task": """
>>> task = bp.load(*bp.example("crates"))
>>> task
<Task: 7 variables, 86 actions>
>>> task.is_goal(task.initial_state)
False
""",
    "Transitions": """
>>> task = bp.load(*bp.example("crates"))
>>> successors = task.successors(task.initial_state)
>>> [action for action, state in successors]
[(up ground first)]
>>> len(successors.states) == len(successors)
True
""",
    "Unsolvable": """
>>> unsolvable = bp.explain_unsolvable(*bp.example("island"))
>>> unsolvable.proved, unsolvable.goals
(True, ('(searched treasure-island)',))
""",
    "UnsupportedError": """
>>> from pathlib import Path
>>> domain, problem = bp.example("crates")
>>> text = Path(domain).read_text().replace("(:action up", "(:durative-action up")
>>> try:
...     bp.solve(text, problem)
... except bp.UnsupportedError as error:
...     print(error.message)
durative actions (":durative-action") are not supported
""",
    "Verdict": """
>>> verdict = bp.validate(*bp.example("crates"), "(down first ground)")
>>> verdict.valid, verdict.step, verdict.conditions
(False, 1, ('(lift-at first)',))
""",
    "__version__": """
>>> bp.__version__.count(".")
2
""",
    "example": """
>>> domain, problem = bp.example("crates")
>>> bp.solve(domain, problem).solved
True
""",
}

_FUNCTIONS = ("solve", "solve_anytime", "load", "ground", "validate", "example")
_OUTCOMES = ("Result", "Plans", "Step", "Verdict", "InputError", "PddlError", "UnsupportedError", "LimitReached")


def page() -> str:
    """All public names."""
    bases = {base.__name__: family for family, base in FAMILIES}
    registered = {item.__name__ for _, base in FAMILIES for item in components(base).values()}
    rest = [name for name in bp.__all__ if name not in {*_FUNCTIONS, *_OUTCOMES, *bases, *registered}]
    parts = ["# Python\n", "All that `import banditplan as bp` gives. The examples are run by the tests.\n"]
    groups = {"Functions": list(_FUNCTIONS), "What they return and raise": list(_OUTCOMES), "Tasks and functions": rest}
    for base, family in bases.items():
        members = [item.__name__ for item in components(dict(FAMILIES)[family]).values()]
        groups[f"{family}".capitalize()] = [base, *members]
    for title, names in groups.items():
        parts += [f"## {title}\n", *map(entry, names)]
    return "\n".join(parts)


def entry(name: str) -> str:
    """One public name: how it is called, what it does, an example."""
    value = getattr(bp, name)
    if isinstance(value, str):
        return f"### `{name}`\n\nThe version.\n{_shown(name)}"
    node = _definition(value)
    parts = [f"### {name}\n", f"```text\n{_signature(node)}\n```\n", _prose(value), ""]
    if hasattr(value, "options"):
        parts += [_options(value), ""]
    elif isinstance(node, ast.ClassDef):
        parts += [*_members(node), ""]
    return "\n".join(parts) + _shown(name)


def example(name: str) -> str:
    """A session that shows the name at work; raises KeyError if there is none."""
    if name in EXAMPLES:
        return EXAMPLES[name].strip("\n")
    value = getattr(bp, name)
    if hasattr(value, "text"):
        family = next(family for family, base in FAMILIES if issubclass(value, base))
        call = f'bp.solve(*bp.example("crates"), search="{search_text(family, value.text)}").status'
        return f">>> bp.{name}()\n{value()!r}\n>>> {call}\n'solved'"
    lines = inspect.getdoc(value).splitlines() if value.__doc__ else []
    begin = next((number for number, line in enumerate(lines) if line.startswith(">>>")), None)
    if begin is None:
        raise KeyError(f"{name} has no example: add one to its docstring or to docs/api_reference.py")
    return "\n".join(line for line in lines[begin:] if line != ">>> import banditplan as bp")


def _shown(name: str) -> str:
    return f"\n```pycon\n{example(name)}\n```\n"


def _prose(value: Any) -> str:
    """The docstring without its example."""
    return (inspect.getdoc(value) or "").partition(">>>")[0].strip()


def _definition(value: Any) -> ast.FunctionDef | ast.ClassDef:
    """Where the name is defined: in its module, or in the stub of the compiled one."""
    compiled = value.__module__ == _core.__name__
    file = Path(_core.__file__).with_name("_core.pyi") if compiled else Path(inspect.getfile(value))
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == value.__name__:
            return node
    raise LookupError(value.__name__)


def _signature(node: ast.FunctionDef | ast.ClassDef) -> str:
    if isinstance(node, ast.FunctionDef):
        return _call(node.name, node)
    makers = [each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"]
    return _call(node.name, makers[0], skip=1) if makers else f"class {node.name}"


def _call(name: str, node: ast.FunctionDef, skip: int = 0) -> str:
    given = node.args
    plain = given.args[skip:]
    defaults = [None] * (len(plain) - len(given.defaults)) + list(given.defaults)
    words = [_argument(argument, default) for argument, default in zip(plain, defaults, strict=True)]
    if given.vararg:
        words.append("*" + _argument(given.vararg, None))
    elif given.kwonlyargs:
        words.append("*")
    words += [_argument(*pair) for pair in zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    result = f" -> {ast.unparse(node.returns)}" if node.returns and node.name != "__init__" else ""
    short = f"{name}({', '.join(words)}){result}"
    return short if len(short) <= 100 else f"{name}(\n" + "".join(f"    {word},\n" for word in words) + f"){result}"


def _argument(argument: ast.arg, default: ast.expr | None) -> str:
    text = argument.arg + (f": {ast.unparse(argument.annotation)}" if argument.annotation else "")
    return text if default is None else f"{text} = {ast.unparse(default)}"


def _members(node: ast.ClassDef) -> list[str]:
    """Fields, properties and methods that are meant for everybody."""
    lines = []
    for each in node.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            lines.append(f"- `{each.target.id}: {ast.unparse(each.annotation)}`")
        if not isinstance(each, ast.FunctionDef) or each.name.startswith("_"):
            continue
        decorators = {ast.unparse(decorator) for decorator in each.decorator_list}
        if f"{each.name}.setter" in decorators:
            continue
        is_property = "property" in decorators
        result = f": {ast.unparse(each.returns)}" if is_property and each.returns else ""
        head = f"{each.name}{result}" if is_property else _call(each.name, each, skip="staticmethod" not in decorators)
        doc = " ".join((ast.get_docstring(each) or "").partition(">>>")[0].split())
        lines.append(f"- `{' '.join(head.split())}`" + (f": {doc}" if doc else ""))
    return lines


def _options(component: Any) -> str:
    rows = [
        f"| `{option}` | `{kind.replace('|', chr(92) + '|')}` | `{default}` | {doc} |"
        for option, kind, default, doc in component.options()
    ]
    return "\n".join(["| option | type | default | |", "|---|---|---|---|", *rows]) if rows else ""
