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
    from banditplan._core import (
        Alternation,
        ApproximateNovelty,
        Arms,
        AStar,
        Backup,
        Bandit,
        BestFirst,
        Bfs,
        Blind,
        Dijkstra,
        EpsilonGbfs,
        EpsilonList,
        Evaluator,
        Ff,
        FifoList,
        FullBellman,
        Gbfs,
        GoalCount,
        Greedy,
        GreedyList,
        GroundAction,
        Guct,
        HAdd,
        Heuristic,
        HMax,
        Landmark,
        LandmarkGraph,
        Landmarks,
        MonteCarlo,
        NamedSearch,
        Novelty,
        OpenList,
        PreferredList,
        PythonBandit,
        PythonHeuristic,
        RelaxedPlanCount,
        Search,
        Series,
        SoftminList,
        SoftminType,
        State,
        States,
        Task,
        Transitions,
        TreeList,
        TttsNormal,
        TypeGbfs,
        TypeList,
        Ucb1,
        Ucb1Normal,
        Ucb1Normal2,
        Ucb1Tuned,
        Ucb1Uniform,
        Ucb101,
        UcbV,
        WAStar,
        WeightedList,
    )
    from banditplan.anytime import Plans
    from banditplan.api import example, ground, load, replan, solve, solve_anytime, solve_many, validate
    from banditplan.errors import InputError, PddlError, UnsupportedError
    from banditplan.limits import LimitReached
    from banditplan.many import ManyPlans
    from banditplan.plan import Step
    from banditplan.problem import Domain, Problem
    from banditplan.replanning import Replan
    from banditplan.result import Result
    from banditplan.validation import Verdict

    __version__: str

_HOMES = {
    "AStar": "_core",
    "Alternation": "_core",
    "ApproximateNovelty": "_core",
    "Arms": "_core",
    "Backup": "_core",
    "Bandit": "_core",
    "BestFirst": "_core",
    "Bfs": "_core",
    "Blind": "_core",
    "Dijkstra": "_core",
    "Domain": "problem",
    "EpsilonGbfs": "_core",
    "EpsilonList": "_core",
    "Evaluator": "_core",
    "Ff": "_core",
    "FifoList": "_core",
    "FullBellman": "_core",
    "Gbfs": "_core",
    "GoalCount": "_core",
    "Greedy": "_core",
    "GreedyList": "_core",
    "GroundAction": "_core",
    "Guct": "_core",
    "HAdd": "_core",
    "HMax": "_core",
    "Heuristic": "_core",
    "InputError": "errors",
    "Landmark": "_core",
    "LandmarkGraph": "_core",
    "Landmarks": "_core",
    "LimitReached": "limits",
    "ManyPlans": "many",
    "MonteCarlo": "_core",
    "NamedSearch": "_core",
    "Novelty": "_core",
    "OpenList": "_core",
    "PddlError": "errors",
    "Plans": "anytime",
    "PreferredList": "_core",
    "Problem": "problem",
    "PythonBandit": "_core",
    "PythonHeuristic": "_core",
    "RelaxedPlanCount": "_core",
    "Replan": "replanning",
    "Result": "result",
    "Search": "_core",
    "Series": "_core",
    "SoftminList": "_core",
    "SoftminType": "_core",
    "State": "_core",
    "States": "_core",
    "Step": "plan",
    "Task": "_core",
    "Transitions": "_core",
    "TreeList": "_core",
    "TttsNormal": "_core",
    "TypeGbfs": "_core",
    "TypeList": "_core",
    "Ucb1": "_core",
    "Ucb101": "_core",
    "Ucb1Normal": "_core",
    "Ucb1Normal2": "_core",
    "Ucb1Tuned": "_core",
    "Ucb1Uniform": "_core",
    "UcbV": "_core",
    "UnsupportedError": "errors",
    "Verdict": "validation",
    "WAStar": "_core",
    "WeightedList": "_core",
    "example": "api",
    "ground": "api",
    "load": "api",
    "replan": "api",
    "solve": "api",
    "solve_anytime": "api",
    "solve_many": "api",
    "validate": "api",
}

__all__ = [
    "AStar",
    "Alternation",
    "ApproximateNovelty",
    "Arms",
    "Backup",
    "Bandit",
    "BestFirst",
    "Bfs",
    "Blind",
    "Dijkstra",
    "Domain",
    "EpsilonGbfs",
    "EpsilonList",
    "Evaluator",
    "Ff",
    "FifoList",
    "FullBellman",
    "Gbfs",
    "GoalCount",
    "Greedy",
    "GreedyList",
    "GroundAction",
    "Guct",
    "HAdd",
    "HMax",
    "Heuristic",
    "InputError",
    "Landmark",
    "LandmarkGraph",
    "Landmarks",
    "LimitReached",
    "ManyPlans",
    "MonteCarlo",
    "NamedSearch",
    "Novelty",
    "OpenList",
    "PddlError",
    "Plans",
    "PreferredList",
    "Problem",
    "PythonBandit",
    "PythonHeuristic",
    "RelaxedPlanCount",
    "Replan",
    "Result",
    "Search",
    "Series",
    "SoftminList",
    "SoftminType",
    "State",
    "States",
    "Step",
    "Task",
    "Transitions",
    "TreeList",
    "TttsNormal",
    "TypeGbfs",
    "TypeList",
    "Ucb1",
    "Ucb1Normal",
    "Ucb1Normal2",
    "Ucb1Tuned",
    "Ucb1Uniform",
    "Ucb101",
    "UcbV",
    "UnsupportedError",
    "Verdict",
    "WAStar",
    "WeightedList",
    "__version__",
    "example",
    "ground",
    "load",
    "replan",
    "solve",
    "solve_anytime",
    "solve_many",
    "validate",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        from banditplan.version import VERSION

        return VERSION
    if name not in _HOMES:
        raise AttributeError(f"module 'banditplan' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"banditplan.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
