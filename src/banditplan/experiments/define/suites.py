"""Suites: named lists of instances, with filters. `paper`, `ipc18`, `examples`, or any folder of domains.

A folder of domains is laid out as the `downward-benchmarks` repository: one folder per domain, problem files in it,
and the domain file of each problem beside it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib import resources

from banditplan import examples
from banditplan.domain_file import find_domain
from banditplan.errors import InputError
from banditplan.pddl.faults import similar

VARIABLE = "BANDITPLAN_BENCHMARKS"
FOLDER = "folder:"
SUMMARIES = {
    "paper": "23 domains, 773 instances: those of the paper, as far as its text tells",
    "ipc18": "the 10 domains of the satisficing track of IPC 2018, 200 instances",
    "examples": "the bundled tasks; need no benchmark folder",
    "folder:PATH": "all domains of a folder laid out as downward-benchmarks, or one domain",
}


@dataclass(frozen=True, slots=True)
class Instance:
    domain: str
    name: str
    domain_file: str
    problem_file: str

    @property
    def size(self) -> int:
        """Of the files, in bytes: how small tasks are told from large ones."""
        return os.path.getsize(self.domain_file) + os.path.getsize(self.problem_file)


@dataclass(frozen=True, slots=True)
class Suite:
    """`missing` says, a sentence each, what should be there and is not."""

    name: str
    instances: tuple[Instance, ...]
    missing: tuple[str, ...]


def load_suite(text: str, benchmarks: str | None = None) -> Suite:
    """The suite that a text names, such as `paper:gripper,blocks/probBLOCKS-4-*`; raises InputError.

    `benchmarks` is the folder of domains; without it, the environment variable BANDITPLAN_BENCHMARKS tells.
    """
    if text.startswith(FOLDER):
        path, patterns = _path(text.removeprefix(FOLDER))
        instances, missing = _found(_folder_listing(path), "")
    else:
        name, _, patterns = text.partition(":")
        if name == "examples":
            instances = [Instance(name, "problem.pddl", *examples.paths(name)) for name in examples.names()]
            missing = []
        elif name in SUMMARIES:
            instances, missing = _found(listing(name), _benchmarks(name, benchmarks))
        else:
            raise InputError(
                f'unknown suite "{name}"{similar(name, SUMMARIES) or "; there are " + ", ".join(SUMMARIES)}'
            )
    chosen = _filtered(instances, patterns, text)
    if not chosen:
        raise InputError(f"suite {text}: no instance found" + "".join(f"; {sentence}" for sentence in missing[:3]))
    return Suite(text, tuple(chosen), tuple(missing))


def listing(name: str) -> dict[str, list[str]]:
    """The instances that a suite of the package names: domain → problem files."""
    text = resources.files("banditplan.experiments.define").joinpath("suite_lists", f"{name}.txt").read_text("utf-8")
    lines = (line.partition(":") for line in text.splitlines() if line and not line.startswith("#"))
    return {domain: names.split() for domain, _, names in lines}


def problem_files(folder: str) -> list[str]:
    """The names of the problem files in a domain's folder, sorted."""
    return sorted(name for name in os.listdir(folder) if name.endswith(".pddl") and "domain" not in name)


def _benchmarks(suite: str, given: str | None) -> str:
    folder = given or os.environ.get(VARIABLE)
    if not folder:
        raise InputError(
            f"suite {suite}: where are the benchmarks? Name a checkout of github.com/aibasel/downward-benchmarks "
            f"with --benchmarks or in the environment variable {VARIABLE}; the suite examples needs none"
        )
    if not os.path.isdir(folder):
        raise InputError(f"{folder}: no such folder; name a checkout of downward-benchmarks with --benchmarks")
    return os.path.abspath(folder)


def _path(text: str) -> tuple[str, str]:
    """A folder and the filter behind it; the folder's name may have colons, too."""
    before, _, behind = text.rpartition(":")
    for name, patterns in ((text, ""), (before, behind)):
        path = os.path.abspath(os.path.expanduser(name))
        if name and os.path.isdir(path):
            return path, patterns
    raise InputError(f"suite {FOLDER}{text}: there is no folder {before or text}")


def _folder_listing(path: str) -> dict[str, list[str]]:
    """Folder of a domain → its problem files; of one domain, if there are PDDL files in the folder itself."""
    if problem_files(path):
        return {path: problem_files(path)}
    folders = sorted(entry.path for entry in os.scandir(path) if entry.is_dir() and not entry.name.startswith("."))
    return {folder: files for folder in folders if (files := problem_files(folder))}


def _found(wanted: dict[str, list[str]], root: str) -> tuple[list[Instance], list[str]]:
    """The instances whose files are there, and sentences about the others."""
    instances, missing = [], []
    for domain, names in wanted.items():
        folder = os.path.join(root, domain)
        absent, without_domain = [], []
        for name in names:
            problem = os.path.join(folder, name)
            if not os.path.isfile(problem):
                absent.append(name)
                continue
            try:
                instances.append(Instance(os.path.basename(domain), name, find_domain(problem), problem))
            except InputError:
                without_domain.append(name)
        missing += _sentence(folder, names, absent, "there")
        missing += _sentence(folder, names, without_domain, "with a domain file")
    return instances, missing


def _sentence(folder: str, names: list[str], absent: list[str], what: str) -> list[str]:
    """What is said of the files that are not what they should be, if there are any."""
    match absent:
        case []:
            return []
        case [name]:
            return [f"{folder}: {name} is not {what}, left out"]
    return [f"{folder}: {len(absent)} of {len(names)} are not {what}, left out ({absent[0]} …)"]


def _filtered(instances: list[Instance], patterns: str, text: str) -> list[Instance]:
    if not patterns:
        return instances
    wanted = [pattern.strip() for pattern in patterns.split(",")]
    for pattern in wanted:
        if not any(_matches(instance, pattern) for instance in instances):
            domains = list(dict.fromkeys(instance.domain for instance in instances))
            remedy = similar(pattern, domains) or "; a filter is a domain or domain/problem, with * as a wildcard"
            raise InputError(f'suite {text}: nothing matches "{pattern}"{remedy}')
    return [instance for instance in instances if any(_matches(instance, pattern) for pattern in wanted)]


def _matches(instance: Instance, pattern: str) -> bool:
    domain, _, name = pattern.partition("/")
    names: Iterable[str] = (instance.name, instance.name.removesuffix(".pddl"))
    return fnmatchcase(instance.domain, domain) and (not name or any(fnmatchcase(one, name) for one in names))
