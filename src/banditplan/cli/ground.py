"""`banditplan ground`: the sizes of a task, and what grounding it takes."""

from __future__ import annotations

from banditplan.cli import EXIT_CODES
from banditplan.cli.display import Display
from banditplan.cli.on_task import (
    EXAMPLE,
    JSON,
    MEMORY,
    NO_PRUNE,
    QUIET,
    SPLIT,
    TIME,
    check_record,
    observer,
    recorded,
    show_reasons,
    task_files,
    write_record,
)
from banditplan.cli.options import Command, Option
from banditplan.cli.stdout import print_line
from banditplan.journal import Journal
from banditplan.limits import cap_memory
from banditplan.pipeline import ground_only
from banditplan.settings import settings
from banditplan.task_input import from_pddl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from banditplan._core import LandmarkGraph
    from banditplan.result import Result


def run(files: list[str], options: dict[str, Any]) -> int:
    given = from_pddl(*task_files(files, options))
    display = Display(quiet=options["quiet"])
    check_record(options)
    cap_memory(options["memory_limit"])
    journal = Journal(
        settings(
            time_limit=options["time_limit"],
            memory_limit=options["memory_limit"],
            prune_mutex=not options["no_prune_mutex"],
            split=options["split"],
            owns_process=True,
            observer=observer(display),
        )
    )
    found = recorded(journal, lambda: ground_only(given, journal, landmarks=options["landmarks"]), display, options)
    write_record(found, options)
    if options["json"] != "-":
        _print(found)
        if journal.landmarks is not None:
            _print_landmarks(journal.landmarks)
    if found.status != "grounded":
        display.line(f"{found.status}: {found.explanation}")
        show_reasons(found, display)
    return EXIT_CODES[found.status]


def _print(result: Result) -> None:
    if result.task is not None:
        for name, value in result.task.items():
            print_line(f"{name.replace('_', ' ')}: {value:,}")
    for stage, seconds in result.seconds.items():
        if stage in ("parse", "normalize", "ground", "total"):
            print_line(f"seconds {stage}: {seconds:.3f}")
    for schema in result.split or ():
        print_line(f"split {schema['action']}: {schema['parts']} parts")
    print_line(f"peak memory: {result.peak_memory_kb:,} KB")


def _print_landmarks(graph: LandmarkGraph) -> None:
    print_line(f"landmarks: {len(graph):,}")
    for landmark in graph.landmarks:
        marks = [mark for mark, holds in (("initial", landmark.initial), ("goal", landmark.goal)) if holds]
        print_line(f"  {landmark.id}: {' or '.join(landmark.facts)}{''.join(f' [{mark}]' for mark in marks)}")
    print_line(f"orders: {len(graph.orders):,}")
    for before, after, kind in graph.orders:
        print_line(f"  {before} -> {after} {kind}")


def command(name: str, summary: str) -> Command:
    landmarks = Option("--landmarks", "list what every plan must make true, and in which order")
    options = (EXAMPLE, TIME, MEMORY, NO_PRUNE, SPLIT, landmarks, JSON, QUIET)
    return Command(name, summary, ("[DOMAIN]", "[PROBLEM]"), options, run)
