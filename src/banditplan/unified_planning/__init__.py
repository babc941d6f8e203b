"""The engine for Unified Planning: a problem becomes a syntax tree in memory and takes the ordinary way to a plan.

from unified_planning.shortcuts import *
get_environment().factory.add_engine("banditplan", "banditplan.unified_planning", "Engine")
"""

from __future__ import annotations

from banditplan.unified_planning.engine import Engine

__all__ = ["Engine"]
