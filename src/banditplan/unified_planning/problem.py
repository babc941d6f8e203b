"""Which problems the engine takes."""

from __future__ import annotations

from unified_planning.model import ProblemKind
from unified_planning.model.problem_kind_versioning import LATEST_PROBLEM_KIND_VERSION

NAME = "banditplan"
OPTIMAL_NAME = "banditplan-opt"

KIND = ProblemKind(
    {
        "ACTION_BASED",
        "FLAT_TYPING",
        "HIERARCHICAL_TYPING",
        "NEGATIVE_CONDITIONS",
        "DISJUNCTIVE_CONDITIONS",
        "EQUALITIES",
        "EXISTENTIAL_CONDITIONS",
        "UNIVERSAL_CONDITIONS",
        "CONDITIONAL_EFFECTS",
        "FORALL_EFFECTS",
        "STATIC_FLUENTS_IN_BOOLEAN_ASSIGNMENTS",
        "FLUENTS_IN_BOOLEAN_ASSIGNMENTS",
        "ACTIONS_COST",
        "STATIC_FLUENTS_IN_ACTIONS_COST",
        "INT_NUMBERS_IN_ACTIONS_COST",
        "REAL_NUMBERS_IN_ACTIONS_COST",
        "PLAN_LENGTH",
        # Numbers can only be part of action costs; their bounds, and values that no action needs, do not matter.
        "BOUNDED_TYPES",
        "UNDEFINED_INITIAL_NUMERIC",
    },
    version=LATEST_PROBLEM_KIND_VERSION,
)


class UnsupportedFeature(Exception):
    """Something in a problem that its kind did not tell, or that was given although the kind is not supported."""
