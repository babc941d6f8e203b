"""Requirement flags: nothing depends on them, so what is wrong with them is a warning."""

from __future__ import annotations

from banditplan.pddl.faults import Fault, quoted, similar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from banditplan.pddl.tokens import Node

# What a text uses -> how a warning speaks of it.
USES = {
    ":typing": "types",
    ":negative-preconditions": "negative preconditions",
    ":disjunctive-preconditions": "disjunctive preconditions",
    ":equality": "equality",
    ":existential-preconditions": "existential preconditions",
    ":universal-preconditions": "universal preconditions",
    ":conditional-effects": "conditional effects",
    ":derived-predicates": "derived predicates",
    ":action-costs": "action costs",
}
QUANTIFIED = (":existential-preconditions", ":universal-preconditions")
COMBINED = {
    ":strips": (),
    ":quantified-preconditions": QUANTIFIED,
    ":adl": (
        ":typing",
        ":negative-preconditions",
        ":disjunctive-preconditions",
        ":equality",
        *QUANTIFIED,
        ":conditional-effects",
    ),
    ":fluents": (":action-costs",),
    ":numeric-fluents": (":action-costs",),
}
UNSUPPORTED = (
    ":fluents",
    ":numeric-fluents",
    ":object-fluents",
    ":durative-actions",
    ":duration-inequalities",
    ":continuous-effects",
    ":timed-initial-literals",
    ":preferences",
    ":constraints",
    ":time",
    ":non-deterministic",
    ":probabilistic-effects",
)


def read_requirements(node: Node) -> list[str]:
    """The flags of the section `(:requirements …)`."""
    flags = []
    for index, flag in enumerate(node):
        if not isinstance(flag, str) or flag[0] != ":":
            raise Fault(node, index, f'expected a requirement such as ":strips", found {quoted(flag)}')
        flags.append(flag)
    return flags[1:]


def flag_warnings(file: str, flags: Iterable[str]) -> list[str]:
    """A warning for each flag that is unknown or stands for something unsupported."""
    warnings = []
    for flag in dict.fromkeys(flags):
        if flag in UNSUPPORTED:
            warnings.append(f"{file}: {flag} is not supported; what needs it will be refused")
        elif flag not in USES and flag not in COMBINED:
            hint = similar(flag, [*USES, *COMBINED, *UNSUPPORTED])
            warnings.append(f"{file}: unknown requirement {quoted(flag)}{hint}")
    return warnings


def use_warnings(file: str, flags: Iterable[str], used: set[str]) -> list[str]:
    """A warning for each requirement that is used but not among the flags."""
    declared = set(flags)
    for flag in flags:
        declared.update(COMBINED.get(flag, ()))
    return [
        f"{file}: uses {words} without (:requirements {flag})"
        for flag, words in USES.items()
        if flag in used and flag not in declared
    ]
