"""A small declarative reader of command lines: what a command takes is data, help and errors follow from it.

The standard library's argparse takes 8 ms to import, a third of our start-up.
"""

from __future__ import annotations

from banditplan.errors import InputError
from banditplan.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

WIDTH = 100


@frozen
class Option:
    """`--name VALUE`, or a switch if there is no metavar. `convert` reads the value or raises ValueError."""

    name: str
    help: str
    metavar: str = ""
    convert: Callable[[str], Any] = str
    default: Any = None

    @property
    def key(self) -> str:
        return self.name.lstrip("-").replace("-", "_")


@frozen
class Command:
    """A subcommand; `positionals` are names for the usage line, an optional one in brackets."""

    name: str
    summary: str
    positionals: tuple[str, ...]
    options: tuple[Option, ...]
    run: Callable[[list[str], dict[str, Any]], int]
    details: str = ""


@frozen
class Group:
    """A command with commands of its own."""

    name: str
    summary: str
    commands: tuple[Command, ...]


@frozen
class Lazy:
    """A command whose module, `banditplan.cli.NAME`, is loaded when it is used."""

    name: str
    summary: str

    def loaded(self) -> Command | Group:
        module = __import__(f"banditplan.cli.{self.name}", fromlist=["command"])
        command: Command | Group = module.command(self.name, self.summary)
        return command


class UsageError(InputError):
    """A command line that cannot be read."""


class HelpRequested(Exception):
    """`--help` was given; the argument is the text to show."""


def read(command: Command, arguments: Sequence[str], program: str) -> tuple[list[str], dict[str, Any]]:
    """Positional arguments and option values; raises UsageError or HelpRequested."""
    known = {option.name: option for option in command.options}
    values = {option.key: option.default if option.metavar else False for option in command.options}
    positionals: list[str] = []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word in ("--help", "-h"):
            raise HelpRequested(command_help(command, program))
        if word == "--":
            positionals += rest
            break
        if not word.startswith("-") or word == "-":
            positionals.append(word)
            continue
        name, equals, value = word.partition("=")
        if name not in known:
            raise UsageError(f"unknown option {name}{_suggestion(name, known)}{_see(command, program)}")
        option = known[name]
        if not option.metavar:
            if equals:
                raise UsageError(f"{name} takes no value{_see(command, program)}")
            values[option.key] = True
            continue
        if not equals:
            if not rest:
                raise UsageError(f"{name} needs a value: {name} {option.metavar}{_see(command, program)}")
            value = rest.pop(0)
        try:
            values[option.key] = option.convert(value)
        except ValueError:
            raise UsageError(f"{name}: {value!r} is not a valid {option.metavar}{_see(command, program)}") from None
    most = len(command.positionals)
    least = sum(not name.startswith("[") for name in command.positionals)
    if not least <= len(positionals) <= most:
        expected = " ".join(command.positionals) or "no arguments"
        raise UsageError(f"expected {expected}, not {len(positionals)} argument(s){_see(command, program)}")
    return positionals, values


def natural(text: str) -> int:
    """A whole number that is not negative; 10_000 and 10,000 are fine."""
    value = int(text.replace(",", ""))
    if value < 0:
        raise ValueError(text)
    return value


def command_help(command: Command, program: str) -> str:
    usage = " ".join([program, command.name, *command.positionals, *(["[OPTIONS]"] if command.options else [])])
    lines = [f"usage: {usage}", "", command.summary]
    if command.details:
        lines += ["", command.details]
    if command.options:
        lines += ["", "options:"]
        heads = [f"{option.name} {option.metavar}".rstrip() for option in command.options]
        column = max(map(len, heads)) + 4
        for head, option in zip(heads, command.options, strict=True):
            shown = f" (default: {option.default})" if option.default not in (None, "") else ""
            lines += _wrapped(f"  {head}".ljust(column), option.help + shown, column)
    return "\n".join(lines)


def named(commands: Sequence[Lazy]) -> dict[str, Command]:
    """All commands, those of groups too, by the words that call them."""
    found: dict[str, Command] = {}
    for command in commands:
        loaded = command.loaded()
        if isinstance(loaded, Group):
            found |= {f"{loaded.name} {member.name}": member for member in loaded.commands}
        else:
            found[loaded.name] = loaded
    return found


def program_help(commands: Sequence[Command | Lazy], program: str, summary: str) -> str:
    lines = [f"usage: {program} COMMAND …", "", summary, "", "commands:"]
    column = max(len(command.name) for command in commands) + 4
    for command in commands:
        lines += _wrapped(f"  {command.name}".ljust(column), command.summary, column)
    first = program.split()[0]
    return "\n".join([*lines, "", f"{program} COMMAND --help tells more; {first} --version tells the version."])


def _wrapped(head: str, text: str, column: int) -> list[str]:
    lines = [head]
    for word in text.split():
        if len(lines[-1]) + len(word) + 1 > WIDTH:
            lines.append(" " * column)
        lines[-1] += word if len(lines[-1]) <= column else f" {word}"
    return lines


def _suggestion(name: str, known: dict[str, Option]) -> str:
    from banditplan.pddl.faults import similar

    return similar(name, known)


def _see(command: Command, program: str) -> str:
    return f"; see {program} {command.name} --help"
