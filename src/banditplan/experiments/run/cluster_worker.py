"""What a worker of a cluster does: keep slot processes, and give a run to one that has its task, if there is one.

Limits are enforced here, by the slot's process. It ends when the worker does.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass

from banditplan.components.python_file import PythonFile
from banditplan.errors import InputError
from banditplan.experiments.run.job import Job, Outcome
from banditplan.experiments.run.local import SlotProcess


@dataclass(frozen=True, slots=True)
class Campaign:
    """What all runs of one submitting process share."""

    name: str
    code: tuple[PythonFile, ...]


class _Kept:
    """A slot process between and during runs."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.process = SlotProcess(campaign.code)
        self.task = ""


_lock = threading.Lock()
_idle: list[_Kept] = []
_busy: list[_Kept] = []


def run_job(job: Job, campaign: Campaign) -> Outcome:
    """Make the run. Raises what keeps this worker from making any."""
    for file in (job["domain_file"], job["problem_file"]):
        if not os.path.exists(file):
            raise InputError(
                f"{os.uname().nodename} has no file {file}; benchmarks must lie where all workers see them"
            )
    kept = _take(job, campaign)
    kept.process.submit(job)
    answers = kept.process.answers()
    with _lock:
        _busy.remove(kept)
        if answers:
            _idle.append(kept)
    if answers is None:
        kept.process.close()
        raise RuntimeError("the process that watches over the run has ended")
    return answers[0][1]


def release(campaign: Campaign) -> None:
    """End the processes of a campaign, also those under way."""
    with _lock:
        ours = [kept for kept in _idle if kept.campaign == campaign]
        for kept in ours:
            _idle.remove(kept)
        for kept in _busy:
            if kept.campaign == campaign:
                kept.process.end()
    for kept in ours:
        kept.process.close()


def _take(job: Job, campaign: Campaign) -> _Kept:
    with _lock:
        ours = [kept for kept in _idle if kept.campaign == campaign]
        ours.sort(key=lambda kept: kept.task != job["problem_file"])
        if ours:
            kept = ours[0]
            _idle.remove(kept)
        else:
            kept = _Kept(campaign)
        kept.task = job["problem_file"]
        _busy.append(kept)
        return kept
