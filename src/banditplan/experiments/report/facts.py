"""The head of a report: what was run, where, when, with what, within which limits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timezone

from banditplan.experiments.ledger import Ledger
from banditplan.experiments.report.cutoffs import Cutoffs, too_short
from banditplan.experiments.report.results import Results
from banditplan.experiments.runs import Run
from banditplan.version import VERSION


def lead(ledger: Ledger, found: Results, reference: str) -> str:
    """One sentence or two on what this is."""
    counts = ((len(found.algorithms), "algorithm"), (len(found.columns), "column"), (found.size, "instance"))
    parts = ", ".join(_number(count, noun) for count, noun in counts)
    return (
        f"{ledger.experiment.summary.rstrip('.') or 'An experiment'}. {_number(len(found.runs), 'run')}: {parts} in "
        f"{_number(len(found.domains), 'domain')}. The others are compared with {reference}."
    )


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def facts(ledger: Ledger, runs: Sequence[Run], limits: Cutoffs, command: str) -> dict[str, str]:
    """Name → text, in the order of the report."""
    experiment, machine = ledger.experiment, ledger.machine
    own = Cutoffs(experiment.max_evaluations, experiment.max_expansions, experiment.time_limit)
    memory = experiment.memory_limit_kb
    about = {
        "suite": experiment.suite,
        "seeds": ", ".join(map(str, experiment.seeds)),
        "limits of a run": f"{own}" + (f"; {memory / 1024**2:,.1f} GB" if memory else ""),
        "limits applied afterwards": str(limits),
        "grounding": ("mutex groups remove actions" if experiment.prune_mutex else "no action removed by mutex groups")
        + f"; wide actions are split: {experiment.split}",
        "machine": f"{machine.get('processor')}, {machine.get('cores')} cores, "
        f"{(machine.get('memory_kb') or 0) / 1024**2:,.0f} GB; {ledger.versions.get('system')}",
        "hosts": _listed(run.host for run in runs),
        "versions": f"banditplan {_listed(run.version for run in runs)}, Python {ledger.versions.get('python')}",
        "runs started": _period([run.started for run in runs]),
        "report": f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC, banditplan {VERSION}",
        "command": command,
    }
    short = too_short(runs, limits)
    if short:
        about["caution"] = (
            f"{short:,} runs ended at a limit of their own below the one applied here; they count as not solved, "
            "though they might have been"
        )
    return about


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(set(names)))


def _period(times: Sequence[str]) -> str:
    first, last = (time[:16].replace("T", " ") for time in (min(times), max(times)))
    return f"{first} to {last} UTC"
