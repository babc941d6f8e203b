"""The OpenAPI description and the server agree: schemathesis tries what is allowed, and what is not."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from serving import Serving

COMMAND = Path(sys.executable).with_name("schemathesis")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which(COMMAND) is None, reason="needs the command schemathesis")
def test_the_server_is_as_it_is_described(serving: Serving, tmp_path: Path) -> None:
    done = subprocess.run(
        [COMMAND, "--no-color", "run", f"{serving.url}/openapi.json", "--max-examples", "12", "--seed", "1"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert done.returncode == 0, done.stdout[-20000:] + done.stderr[-2000:]
    assert "Traceback" not in serving.said
