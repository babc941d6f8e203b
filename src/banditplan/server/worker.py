"""The child process: one order from standard input, what becomes of it as lines of JSON on standard output.

A line is an object with one key: `stage`, `warning`, `progress`, `result`, `answer`, `problem` or `report`.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from time import monotonic
from typing import TYPE_CHECKING

from banditplan._core import resident_memory_kb
from banditplan.errors import InputError, PddlError, UnsupportedError
from banditplan.files import decoded
from banditplan.journal import Journal
from banditplan.limits import LimitReached, cap_memory
from banditplan.pipeline import solve
from banditplan.settings import Observer, read_search, settings
from banditplan.task_input import from_pddl

if TYPE_CHECKING:
    from banditplan.errors import Source
    from banditplan.server.order import Order

PR_SET_PDEATHSIG = 1


def main(parent: int) -> None:
    end_with(parent)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the server may have been started with SIGINT ignored
    try:
        order = json.loads(sys.stdin.buffer.read())
        cap_memory(order["memory_limit"])
        perform(order) if order["inquiry"] is None else respond(order)
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
            owns_process=True,
            observer=Observer(
                progress=progress,
                stage=lambda name: tell("stage", name),
                warning=lambda text: tell("warning", text),
                trace=traces.append if order["report"] else None,
            ),
        )
    )
    result = solve(from_pddl(*sources(order)), journal)
    tell("result", {"record": result.to_dict(), "explanation": result.explanation, "algorithm": result.algorithm})
    if traces:
        from banditplan.explain import page

        tell("report", page(traces[0]))


def respond(order: Order) -> None:
    """The answer to something else than to find a plan."""
    from banditplan.server.answers import answer

    tell("stage", "answering")
    tell("answer", answer(order, *sources(order)))


def sources(order: Order) -> tuple[Source, Source]:
    return decoded("domain.pddl", order["domain"].encode()), decoded("problem.pddl", order["problem"].encode())


def described(error: InputError) -> dict[str, str | int]:
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
