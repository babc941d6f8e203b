"""Fast Downward as the wheel up-fast-downward has it: commands, searches, and what it prints.

Its translator writes the ground task to a file in the working folder, its search reads that file.
"""

from __future__ import annotations

import math
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from measure import clean_environment

SAS_FILE = "output.sas"
LANDMARKS = "lm_reasonable_orders_hps(lm_rhw())"
HFF, LANDMARK_SUM = (
    f"eval_modify_costs({evaluator},cost_type=one)"
    for evaluator in ("ff()", f"landmark_sum(lm_factory={LANDMARKS},pref=false)")
)
ENDED = (0, 11, 12)  # exit codes: with a plan, with a proof that there is none, at its own limit of time


def lama_first(options: str = "cost_type=one") -> str:
    """LAMA's first iteration, with these options of its search."""
    lazy = f"lazy_greedy([hff,hlm],preferred=[hff,hlm],reopen_closed=false,{options})"
    return f"let(hlm,{LANDMARK_SUM},let(hff,{HFF},{lazy}))"


@dataclass(frozen=True, slots=True)
class Downward:
    python: str  # an interpreter that has the wheel
    binary: str

    @staticmethod
    def find(python: str, folder: str) -> Downward:
        """That of the interpreter; its binary is copied to the folder, as it need not be executable where it is."""
        script = (
            "from importlib.util import find_spec; print(*find_spec('up_fast_downward').submodule_search_locations)"
        )
        found = subprocess.run([python, "-c", script], env=clean_environment(), capture_output=True, text=True)
        binaries = list(Path(found.stdout.strip()).glob("**/bin/downward")) if found.returncode == 0 else []
        if not binaries:
            sys.exit(f"error: {python} has no up-fast-downward; see --peers")
        binary = shutil.copy(binaries[0], folder)
        os.chmod(binary, 0o755)
        return Downward(python, binary)

    def translate(self, files: list[str]) -> list[str]:
        return [self.python, "-m", "fast_downward.translate", *files]

    def search(self, text: str) -> list[str]:
        return ["/bin/sh", "-c", f"exec {shlex.join([self.binary, '--search', text])} < {SAS_FILE}"]

    def solve(self, text: str) -> list[str]:
        """From domain and problem, which follow, to the plan."""
        translate = f'{shlex.quote(self.python)} -m fast_downward.translate "$1" "$2" > translator.log'
        return ["/bin/sh", "-c", f"{translate} && {self.search(text)[-1]}", "sh"]


# ---- what a search prints


def evaluations(output: str) -> int:
    found = re.search(r"\] Evaluated (\d+) state", output)
    return int(found[1]) if found else 0


def seconds(output: str) -> float:
    """Of the search alone."""
    found = re.search(r"\] Search time: ([\d.e-]+)s", output)
    return float(found[1]) if found else math.nan


def memory(output: str) -> float:
    """Bytes that the search took."""
    begin = re.search(r"(\d+) KB\] Conducting (?:lazy )?best first search", output)
    end = re.search(r"^Peak memory: (\d+) KB", output, re.MULTILINE)
    return 1024.0 * (int(end[1]) - int(begin[1])) if begin and end else math.nan
