"""banditplan: an agile PDDL planner that searches with bandits.

>>> import banditplan as bp
>>> result = bp.solve(*bp.example("crates"))
>>> result.solved
True

Names are loaded when they are first used, so that `import banditplan` costs next to nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan._core import *  # all components, which are not listed by hand anywhere
    from banditplan._core import (
        Arms,
        Backup,
        Bandit,
        Evaluator,
        GroundAction,
        Heuristic,
        Landmark,
        LandmarkGraph,
        NamedSearch,
        OpenList,
        PythonBandit,
        PythonHeuristic,
        Search,
        State,
        States,
        Task,
        Transitions,
    )
    from banditplan.anytime import Plans
    from banditplan.api import (
        check,
        example,
        explain_unsolvable,
        ground,
        load,
        plan_page,
        replan,
        solve,
        solve_anytime,
        solve_many,
        validate,
    )
    from banditplan.checking import Finding
    from banditplan.errors import InputError, PddlError, UnsupportedError
    from banditplan.limits import LimitReached
    from banditplan.many import ManyPlans
    from banditplan.plan import Step
    from banditplan.problem import Domain, Problem
    from banditplan.replanning import Replan
    from banditplan.result import Result
    from banditplan.unsolvable import Reason, Unsolvable
    from banditplan.validation import Verdict

    __version__: str

# The modules of the other public names; components are public because they are components.
_HOMES = {
    name: home
    for home, names in {
        "_core": "Arms Backup Bandit Evaluator GroundAction Heuristic Landmark LandmarkGraph NamedSearch OpenList "
        "PythonBandit PythonHeuristic Search State States Task Transitions",
        "anytime": "Plans",
        "api": "check example explain_unsolvable ground load plan_page replan solve solve_anytime solve_many validate",
        "checking": "Finding",
        "errors": "InputError PddlError UnsupportedError",
        "limits": "LimitReached",
        "many": "ManyPlans",
        "plan": "Step",
        "problem": "Domain Problem",
        "replanning": "Replan",
        "result": "Result",
        "unsolvable": "Reason Unsolvable",
        "validation": "Verdict",
    }.items()
    for name in names.split()
}


def __getattr__(name: str) -> object:
    if name == "__version__":
        from banditplan.version import VERSION

        return VERSION
    if name == "__all__":
        return __dir__()
    home = _HOMES.get(name)
    if home is None and not name.startswith("_"):
        from banditplan import _core

        home = "_core" if name in _core.__all__ else None
    if home is None:
        raise AttributeError(f"module 'banditplan' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"banditplan.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    from banditplan import _core

    return sorted([*_core.__all__, *_HOMES, "__version__"])
