"""The engines for Unified Planning: a problem becomes a syntax tree in memory and takes the ordinary way to a plan.

from unified_planning.shortcuts import *
get_environment().factory.add_engine("banditplan", "banditplan.unified_planning", "Engine")
get_environment().factory.add_engine("banditplan-opt", "banditplan.unified_planning", "OptimalEngine")
"""

from __future__ import annotations

from banditplan.errors import MissingExtra

try:
    from banditplan.unified_planning.engine import Engine, OptimalEngine
except ImportError as error:
    if error.name != "unified_planning":
        raise
    raise MissingExtra("the Unified Planning engine", "unified-planning", "banditplan[up]") from None

__all__ = ["Engine", "OptimalEngine"]
