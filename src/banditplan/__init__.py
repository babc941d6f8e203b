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
    from banditplan._core import Ff, Gbfs, GroundAction, Heuristic, Search, State, Task
    from banditplan.api import example, load, solve
    from banditplan.limits import LimitReached
    from banditplan.pddl.errors import InputError, PddlError, UnsupportedError
    from banditplan.plan import Step
    from banditplan.result import Result

    __version__: str

_HOMES = {
    "Ff": "_core",
    "Gbfs": "_core",
    "GroundAction": "_core",
    "Heuristic": "_core",
    "InputError": "pddl.errors",
    "LimitReached": "limits",
    "PddlError": "pddl.errors",
    "Result": "result",
    "Search": "_core",
    "State": "_core",
    "Step": "plan",
    "Task": "_core",
    "UnsupportedError": "pddl.errors",
    "example": "api",
    "load": "api",
    "solve": "api",
}

__all__ = [
    "Ff",
    "Gbfs",
    "GroundAction",
    "Heuristic",
    "InputError",
    "LimitReached",
    "PddlError",
    "Result",
    "Search",
    "State",
    "Step",
    "Task",
    "UnsupportedError",
    "__version__",
    "example",
    "load",
    "solve",
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
