"""The grounders that are compared: how each is called, and where it tells the sizes of the ground task."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from downward import SAS_FILE
from measure import clean_environment

OURS = "banditplan"
FAST_DOWNWARD = "fast-downward"
PYMIMIR = "pymimir"

# Parsing, the relaxed exploration and the ground actions and axioms. Pymimir's grounded search context would build a
# match tree as well, which costs up to twenty times as much and has no counterpart in the other two.
PYMIMIR_SCRIPT = """
import sys
from pymimir.advanced.formalism import ParserOptions, Problem
from pymimir.advanced.search import LiftedGrounder
grounder = LiftedGrounder(Problem.create(sys.argv[1], sys.argv[2], ParserOptions()))
axioms, actions = grounder.create_ground_axioms(), grounder.create_ground_actions()
print(f"\\nactions: {len(actions)}\\naxioms: {len(axioms)}")
"""

Sizes = dict[str, float]


@dataclass(frozen=True, slots=True)
class Grounder:
    name: str
    command: list[str]  # domain and problem follow
    options: list[str]  # after the files
    sizes: Callable[[str, Path], Sizes]  # of the output and the working folder
    success: tuple[int, ...] = (0,)  # exit codes


def banditplan(executable: str) -> Grounder:
    proved_unsolvable = 11
    return Grounder(OURS, [executable, "ground"], ["--quiet"], labelled_sizes, (0, proved_unsolvable))


def peers(python: str) -> list[Grounder]:
    """Those that the interpreter has."""
    installed = peer_versions(python)
    translate = [python, "-m", "fast_downward.translate"]
    known = {
        "fast-downward.translate": Grounder(FAST_DOWNWARD, translate, ["--sas-file", SAS_FILE], translator_sizes),
        "pymimir": Grounder(PYMIMIR, [python, "-c", PYMIMIR_SCRIPT], [], labelled_sizes),
    }
    return [grounder for package, grounder in known.items() if package in installed]


def peer_versions(python: str) -> dict[str, str]:
    """The versions of the peers' packages in that interpreter, without the absent ones."""
    script = "from importlib.metadata import distributions as d\nfor p in d(): print(p.metadata['Name'], p.version)"
    lines = subprocess.run([python, "-c", script], env=clean_environment(), capture_output=True, text=True, check=True)
    versions = dict(line.rsplit(" ", 1) for line in lines.stdout.splitlines())
    wanted = ("up_fast_downward", "up-fast-downward", "fast-downward.translate", "pymimir")
    return {name: versions[name] for name in wanted if name in versions}


def labelled_sizes(output: str, _: Path) -> Sizes:
    """From lines such as `actions: 34` and `seconds parse: 0.001`."""
    lines = re.findall(r"^([a-z ]+): ([\d,.]+)", output, re.MULTILINE)
    return {label.replace(" ", "_"): float(number.replace(",", "")) for label, number in lines}


def translator_sizes(output: str, folder: Path) -> Sizes:
    """From lines such as `Translator operators: 34`, and the domains in the translator's output file."""
    found = {label: int(number) for label, number in re.findall(r"^Translator ([a-z ]+): (\d+)", output, re.MULTILINE)}
    names = {"variables": "variables", "facts": "facts", "operators": "actions", "axioms": "axioms"}
    sizes: Sizes = {ours: found[theirs] for theirs, ours in names.items() if theirs in found}
    sizes["bytes_per_state"] = 4 * packed_words(state_domains((folder / SAS_FILE).read_text()))
    return sizes


def state_domains(sas: str) -> list[int]:
    """The number of values of every variable that is stored in a state, that is, not derived by axioms."""
    variables = re.findall(r"^begin_variable\n.*\n(-?\d+)\n(\d+)$", sas, re.MULTILINE)
    return [int(values) for layer, values in variables if layer == "-1"]


def packed_words(domains: list[int]) -> int:
    """The 32-bit words of a state in Fast Downward: word by word, always the widest variable that still fits."""
    waiting = Counter(max(1, (values - 1).bit_length()) for values in domains)
    words = 0
    while waiting.total():
        words += 1
        free = 32
        for bits in sorted(waiting, reverse=True):
            taken = min(waiting[bits], free // bits)
            waiting[bits] -= taken
            free -= taken * bits
    return words
