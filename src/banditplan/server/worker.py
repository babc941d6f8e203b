"""The child process: one order from standard input, what becomes of it as lines of JSON on standard output.

A line is an object with one key: `stage`, `warning`, `progress`, `plan`, `result`, `check`, `answer`, `problem`,
`report` or `plan_page`.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

from banditplan._core import resident_memory_kb
from banditplan.errors import InputError, PddlError, UnsupportedError
from banditplan.files import decoded
from banditplan.journal import Journal
from banditplan.limits import LimitReached, cap_memory
from banditplan.pipeline import improve, solve
from banditplan.plan import format_plan
from banditplan.settings import Observer, read_search, settings
from banditplan.task_input import from_pddl

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from banditplan.errors import Source
    from banditplan.pddl.syntax import Parsed
    from banditplan.plan import Step
    from banditplan.result import Result
    from banditplan.server.order import Order
    from banditplan.task_input import Input

PR_SET_PDEATHSIG = 1


def main(parent: int) -> None:
    end_with(parent)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the server may have been started with SIGINT ignored
    try:
        order = json.loads(sys.stdin.buffer.read())
        cap_memory(order["memory_limit"])
        if order["inquiry"] is not None:
            respond(order)
        elif order["plan"] is not None:
            check(order, order["plan"])
        else:
            perform(order)
    except InputError as error:
        tell("problem", described(error))
    except MemoryError:
        tell("problem", {"kind": "limit", "message": "nothing was found within the memory limit"})
    except LimitReached as limit:
        tell("problem", {"kind": "limit", "message": f"no answer within the {limit.status.replace('-', ' ')}"})
    except KeyboardInterrupt:
        pass  # whoever cancelled expects no answer
    sys.stdout.flush()
    os._exit(0)  # without freeing a large task piece by piece


def perform(order: Order) -> None:
    started = monotonic()

    def progress(evaluations: int, expansions: int, best_h: int | None) -> None:
        seconds = monotonic() - started
        reached = {
            "evaluations": evaluations,
            "expansions": expansions,
            "best_h": best_h,
            "evaluations_per_second": evaluations / max(seconds, 1e-9),
            "memory_kb": resident_memory_kb(),
            "seconds": seconds,
        }
        tell("progress", reached)

    search = read_search(order["search"])
    traces: list[str] = []
    journal = Journal(
        settings(
            search=search,
            seed=order["seed"],
            time_limit=order["time_limit"],
            memory_limit=order["memory_limit"],
            max_evaluations=order["max_evaluations"],
            split=order["split"],
            owns_process=True,
            observer=Observer(
                progress=progress,
                stage=lambda name: tell("stage", name),
                warning=lambda text: tell("warning", text),
                trace=traces.append if order["report"] and not order["anytime"] else None,
            ),
        )
    )
    given = _given(order)
    result = _improved(given, journal) if order["anytime"] else solve(given, journal)
    tell("result", {"record": result.to_dict(), "explanation": result.explanation, "algorithm": result.algorithm})
    if traces:
        from banditplan.explain import page

        _add("report", lambda: page(traces[0]))
    if order["report"] and result.plan is not None and journal.task is not None:
        _add_plan_page(journal.task.origin.parsed, result.plan)


def _given(order: Order) -> Input:
    return from_pddl(*sources(order))


def _improved(given: Input, journal: Journal) -> Result:
    """Tell every plan as soon as it is known; returns how it ended."""
    try:
        for result in improve(given, journal):
            if result.end != "solved":
                return result
            found = {
                "number": result.plans,
                "length": result.plan_length,
                "cost": result.plan_cost,
                "evaluations": result.evaluations,
                "seconds": result.seconds["total"],
            }
            tell("plan", {**found, "text": format_plan(result.plan or (), result.plan_cost or 0, result.unit_cost)})
    except KeyboardInterrupt:  # between two searches
        pass
    return journal.result("interrupted")


def check(order: Order, plan: str) -> None:
    """Tell what the validator says about a plan."""
    from banditplan.limits import Limits
    from banditplan.plan import read_plan
    from banditplan.validation import validate

    limits = Limits(monotonic() + order["time_limit"], order["memory_limit"] // 1024)
    tell("stage", "checking")
    try:
        parsed = _given(order).parse(limits.check)
        steps = read_plan(decoded("plan.txt", plan.encode()))
        verdict = validate(parsed, steps, limits.check)
    except LimitReached as limit:
        tell("problem", {"kind": "limit", "message": f"the plan was not checked within the {limit.status}"})
        return
    said = {name: getattr(verdict, name) for name in ("valid", "cost", "reason", "step", "conditions")}
    tell("check", {**said, "length": len(steps)})
    if order["report"]:
        _add_plan_page(parsed, steps)


def _add_plan_page(parsed: Parsed, steps: Sequence[Step]) -> None:
    from banditplan.plan_report import page

    _add("plan_page", lambda: page(parsed, steps))


def _add(key: str, make: Callable[[], str]) -> None:
    """Tell something beside the result, which stands if there is no memory for more."""
    with suppress(MemoryError):
        tell(key, make())


def respond(order: Order) -> None:
    """The answer to something else than to find a plan."""
    from banditplan.server.answers import answer

    tell("stage", "answering")
    tell("answer", answer(order, *sources(order)))


def sources(order: Order) -> tuple[Source, Source]:
    return decoded("domain.pddl", order["domain"].encode()), decoded("problem.pddl", order["problem"].encode())


def described(error: InputError) -> dict[str, object]:
    kind = "unsupported" if isinstance(error, UnsupportedError) else "input"
    if not isinstance(error, PddlError):
        return {"kind": kind, "message": error.message}
    return {
        "kind": kind,
        "message": error.message,
        "file": error.file,
        "line": error.line,
        "column": error.column,
        "excerpt": error.excerpt,
        "others": [described(other) for other in error.others],
    }


def tell(key: str, value: object) -> None:
    sys.stdout.write(json.dumps({key: value}) + "\n")
    sys.stdout.flush()


def end_with(parent: int) -> None:
    """Let the operating system end this process when the server ends, however that happens."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)  # the server ended before that


if __name__ == "__main__":
    main(int(sys.argv[1]))
