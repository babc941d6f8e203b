"""What the commands on a task share: their options, the files of the task, the record of the run."""

from __future__ import annotations

from banditplan.cli.display import Display
from banditplan.cli.options import Option, UsageError
from banditplan.cli.stdout import print_line
from banditplan.files import check_folder, read_standard_input, write_file
from banditplan.settings import Observer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from banditplan._core import LiveFeed
    from banditplan.errors import Source
    from banditplan.journal import Journal
    from banditplan.result import Result
    from banditplan.split.split import Mode

STANDARD_INPUT = "-"
EXAMPLE = Option("--example", "use a bundled task instead of files; see `banditplan examples`", "NAME")
TIME = Option("--time-limit", "one deadline over parsing, grounding and search, such as 30s, 5m, 1h", "TIME")
MEMORY = Option("--memory-limit", "for the whole process, such as 500M or 2G", "SIZE")
SPLIT = Option(
    "--split", "actions with many parameters become chains of smaller ones: auto, never or always", "WHEN", str, "auto"
)
NO_PRUNE = Option("--no-prune-mutex", "keep actions that mutex groups show to be inapplicable")
JSON = Option("--json", "write the record of the run to FILE; with -, to standard output, in place of the plan", "FILE")
SAS = Option("--sas", "write the ground task to FILE, in the format of Fast Downward's translator", "FILE")
IMPORT = Option(
    "--import",
    "Python files, separated by commas, whose functions the search may use: mine.bandit is that of mine.py",
    "FILES",
    lambda text: tuple(text.split(",")),
)
QUIET = Option("--quiet", "say nothing but the plan and errors")


def task_files(files: list[str], options: dict[str, Any]) -> tuple[str | Source, str | Source]:
    """The domain and the problem: paths, or what standard input has for a dash."""
    if options["example"] is not None:
        from banditplan import examples

        if files:
            raise UsageError("give either --example or files, not both")
        return examples.paths(options["example"])
    if not files:
        raise UsageError("no task given: name a problem file, or try --example crates; see `banditplan examples`")
    if files == [STANDARD_INPUT]:
        raise UsageError("a problem from standard input needs its domain: give DOMAIN -")
    if len(files) == 1:
        from banditplan.domain_file import find_domain

        return find_domain(files[0]), files[0]
    check_dashes(files)
    domain, problem = (read_standard_input() if file == STANDARD_INPUT else file for file in files)
    return domain, problem


def check_dashes(files: list[str]) -> None:
    """A dash is standard input."""
    if files.count(STANDARD_INPUT) > 1:
        raise UsageError("standard input can be read once only: give a dash for one of the files")


def observer(
    display: Display,
    trace: Callable[[str], None] | None = None,
    feed: LiveFeed | None = None,
    accepted: Callable[[], None] | None = None,
) -> Observer:
    """Shows on the display how a run goes on."""
    return Observer(
        progress=display.report,
        stage=display.stage,
        warning=lambda text: display.line(f"warning: {text}"),
        accepted=accepted,
        trace=trace,
        feed=feed,
    )


def check_record(options: dict[str, Any]) -> None:
    """Complain about files that cannot be written before the work, not after."""
    if options["json"] not in (None, "-"):
        check_folder(options["json"], "the record", "--json")
    if options["sas"] is not None:
        check_folder(options["sas"], "the ground task", "--sas")


def split_mode(options: dict[str, Any]) -> Mode:
    """Whether to split wide actions; a ground task for others has whole ones."""
    mode: Mode = options["split"]
    if options["sas"] is None:
        return mode
    if mode == "always":
        raise UsageError("give either --sas or --split always: others cannot put the parts of actions together")
    return "never"


def write_sas(journal: Journal, options: dict[str, Any]) -> None:
    """Write the ground task where it was asked for, if there is one."""
    if options["sas"] is not None and journal.task is not None:
        write_file(options["sas"], journal.task.sas(), "the ground task")


def write_record(result: Result, options: dict[str, Any]) -> None:
    """Write the record of the run where it was asked for."""
    target = options["json"]
    if target is None:
        return
    import json

    text = json.dumps(result.to_dict(), indent=2)
    if target == "-":
        print_line(text)
    else:
        write_file(target, text + "\n", "the record")


def show_reasons(result: Result, display: Display) -> None:
    """Why there is no plan, below the explanation, which has the first line."""
    for reason in result.reasons[1:]:
        display.line(f"  {reason}")


def recorded(journal: Journal, stages: Callable[[], Result], display: Display, options: dict[str, Any]) -> Result:
    """The result of the stages; where they fail, the record says so before the error goes on."""
    try:
        return stages()
    except Exception:
        display.clear()
        write_record(journal.result("error"), options)
        raise
    finally:
        display.clear()
