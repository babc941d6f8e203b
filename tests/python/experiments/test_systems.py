"""Systems that lack what Linux has: experiments can be read there, and what cannot be done says so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CODE = """
import os, platform, subprocess, sys, types
class Msvcrt(types.ModuleType):
    LK_NBLCK = 2
    def locking(self, file, mode, count): pass
sys.platform = "win32"
sys.modules["fcntl"] = None
sys.modules["msvcrt"] = Msvcrt("msvcrt")
del os.fork, os.sysconf
import banditplan.experiments.lock
sys.platform = "linux"  # the rest of the library would look for the rest of Windows
from banditplan.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def on_windows(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", CODE, *words], cwd=cwd, capture_output=True, text=True, check=False)


def test_experiments_can_be_listed_and_shown(tmp_path: Path) -> None:
    done = on_windows("experiment", "list", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\n  quick " in done.stdout
    assert on_windows("experiment", "show", "quick", cwd=tmp_path).returncode == 0


def test_runs_cannot_be_made_without_fork(tmp_path: Path) -> None:
    done = on_windows("experiment", "run", "quick", "--quiet", cwd=tmp_path)
    assert done.returncode == 31
    assert "this system cannot" in done.stderr
