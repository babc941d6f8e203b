"""The command line: the Python API in words. Plans go to standard output, everything else to standard error."""

from __future__ import annotations

import os
import sys

from banditplan.cli import BAD_INPUT, INTERNAL_ERROR, INTERRUPTED, OUT_OF_MEMORY, UNSUPPORTED
from banditplan.cli.display import say
from banditplan.cli.options import Command, Group, HelpRequested, Lazy, UsageError, program_help, read
from banditplan.cli.stdout import print_line
from banditplan.errors import InputError, UnsupportedError
from banditplan.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

PROGRAM = "banditplan"
SUMMARY = "An agile PDDL planner that searches with bandits. `banditplan DOMAIN PROBLEM` finds a plan."

# Each is a module of this folder, loaded when it is used.
COMMANDS = (
    Lazy("solve", "Find a plan and print it."),
    Lazy("ground", "Parse and ground only; report sizes, seconds per stage and peak memory."),
    Lazy("validate", "Replay a plan and say whether it is valid, or which step fails and why."),
    Lazy("plan", "Say why each step is in a plan and what can run at the same time; or show it as a page."),
    Lazy("explain", "Make a page for a browser from the trace of a search, or a comparison from two."),
    Lazy("experiment", "Run experiments and report on them."),
    Lazy("serve", "Serve a page in which tasks are solved, and an HTTP interface for other programs."),
    Lazy("mcp", "Offer the planner to language models as tools, over the Model Context Protocol."),
    Lazy("examples", "List the bundled tasks."),
    Lazy("components", "List what a search can be made of, and the papers' names; or explain one of them."),
    Lazy("bandits", "Let bandits play on synthetic arms, without a planner; print their regret."),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _dispatch(words)
    except HelpRequested as help_requested:
        print_line(str(help_requested))
        return 0
    except InputError as error:
        for each in (error, *getattr(error, "others", ())):
            say(f"error: {each.args[0]}")
        return UNSUPPORTED if isinstance(error, UnsupportedError) else BAD_INPUT
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED
    except MemoryError:
        say("error: out of memory")
        return OUT_OF_MEMORY
    except Exception:
        import traceback

        say(traceback.format_exc())
        say(f"This is a bug in {PROGRAM} {VERSION}; please report it with the files that show it.")
        return INTERNAL_ERROR


def entry() -> NoReturn:
    """The installed command. Leaves without freeing a large task piece by piece, which takes time and helps nobody."""
    import io

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name that the terminal cannot show must not end the run
    os._exit(main())  # everything was flushed when it was written


def _dispatch(words: list[str]) -> int:
    if words[:1] == ["--version"]:
        print_line(f"{PROGRAM} {VERSION}")
        return 0
    if words[:1] == ["help"] and len(words) > 1:
        words = [*words[1:], "--help"]
    if words and words[0] not in [command.name for command in COMMANDS] and _is_file(words[0]):
        words = ["solve", *words]
    return _command(words, COMMANDS, PROGRAM, SUMMARY)


def _is_file(word: str) -> bool:
    return not word.startswith("-") and (word.endswith(".pddl") or os.path.isfile(word))


def _command(words: list[str], commands: Sequence[Command | Lazy], program: str, summary: str) -> int:
    if not words or words[0] in ("--help", "-h", "help"):
        print_line(program_help(commands, program, summary))
        return 0 if words else BAD_INPUT
    for command in commands:
        if command.name != words[0]:
            continue
        found = command.loaded() if isinstance(command, Lazy) else command
        if isinstance(found, Group):
            return _command(words[1:], found.commands, f"{program} {found.name}", found.summary)
        return found.run(*read(found, words[1:], program))
    from banditplan.pddl.faults import similar

    names = [command.name for command in commands]
    raise UsageError(f'unknown command "{words[0]}"{similar(words[0], names)}; there are {", ".join(names)}')
