"""The child process: one order from standard input, what becomes of it as lines of JSON on standard output.

A line is an object with one key: `stage`, `warning`, `progress`, `plan`, `result`, `answer`, `problem`, `report` or
`plan_page`.
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
    from collections.abc import Callable

    from banditplan.errors import Source
    from banditplan.result import Result
    from banditplan.server.order import Inquiry, Order
    from banditplan.task_input import Input

PR_SET_PDEATHSIG = 1


def main(parent: int) -> None:
    end_with(parent)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the server may have been started with SIGINT ignored
    try:
        order = json.loads(sys.stdin.buffer.read())
        cap_memory(order["memory_limit"])
        if order["inquiry"] is None:
            perform(order)
        else:
            respond(order, order["inquiry"])
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
    given = from_pddl(*sources(order))
    result = _improved(given, journal) if order["anytime"] else solve(given, journal)
    tell("result", {"record": result.to_dict(), "explanation": result.explanation, "algorithm": result.algorithm})
    if traces:
        from banditplan.explain import page

        _add("report", lambda: page(traces[0]))
    if order["report"] and result.plan is not None and journal.task is not None:
        from banditplan.plan_report import page as plan_page

        parsed, plan = journal.task.origin.parsed, result.plan
        _add("plan_page", lambda: plan_page(parsed, plan))


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


def _add(key: str, make: Callable[[], str]) -> None:
    """Tell something beside the result, which stands if there is no memory for more."""
    with suppress(MemoryError):
        tell(key, make())


def respond(order: Order, inquiry: Inquiry) -> None:
    """The answer to something else than to find a plan; if asked for, the page of the plan that it is about."""
    from banditplan.server.answers import answer, plan_page

    domain, problem = sources(order)
    tell("stage", "checking")
    tell("answer", answer(order, inquiry, domain, problem))
    if order["report"]:
        _add("plan_page", lambda: plan_page(inquiry, domain, problem))


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
    try:
        sys.stdout.write(json.dumps({key: value}) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        os._exit(1)  # the server has ended


def end_with(parent: int) -> None:
    """Let the operating system end this process when the server ends, however that happens."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)  # the server ended before that


if __name__ == "__main__":
    main(int(sys.argv[1]))
