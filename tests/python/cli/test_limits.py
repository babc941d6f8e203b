"""Limits of time and memory, and Ctrl-C, in every stage of a run."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from command import OnTerminal, children_cpu, resident_kb, run
from puzzles import endless_grounding, endless_search, long_text, write

SECONDS_TO_END = 0.5  # of CPU time; a tenth of a second is what we aim at
TASKS = {
    # Takes 8 s to parse; the others never end.
    "parsing": lambda: long_text(1_200_000),
    "grounding": endless_grounding,
    "searching": endless_search,
}
STAGES = tuple(TASKS)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, str]]:
    folder = tmp_path_factory.mktemp("tasks")
    return {stage: write(folder / stage, texts()) for stage, texts in TASKS.items()}


def check_stage(answer: dict[str, object], stage: str) -> None:
    """The record of a run that ended in the given stage."""
    assert (answer["plan"], answer["plan_length"], answer["plan_cost"], answer["valid"]) == (None,) * 4
    seconds = answer["seconds"]
    assert isinstance(seconds, dict)
    assert (seconds["parse"] > 0) == (stage != "parsing")
    assert (seconds["ground"] > 0) == (stage == "searching")
    assert (answer["task"] is not None) == (stage == "searching")
    for counter in ("evaluations", "expansions", "generated"):
        assert (answer[counter] != 0) == (stage == "searching")
    assert (answer["best_h"] is not None) == (stage == "searching")


@pytest.mark.slow
@pytest.mark.parametrize("stage", STAGES)
def test_the_time_limit_ends_every_stage(stage: str, files: dict[str, tuple[str, str]], tmp_path: Path) -> None:
    before = children_cpu()
    done = run("solve", *files[stage], "--time-limit", "1s", "--json", "-", cwd=tmp_path)
    assert done.returncode == 23
    assert children_cpu() - before < 1 + SECONDS_TO_END
    answer = json.loads(done.stdout)
    assert answer["status"] == "time-limit"
    assert answer["seconds"]["total"] >= 1
    check_stage(answer, stage)
    assert done.stderr.startswith("time-limit: no plan within the time limit; ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["parsing", "grounding"])
def test_the_time_limit_ends_the_ground_command(stage: str, files: dict[str, tuple[str, str]], tmp_path: Path) -> None:
    done = run("ground", *files[stage], "--time-limit", "0.5s", "--json", "-", cwd=tmp_path)
    assert done.returncode == 23
    check_stage(json.loads(done.stdout), stage)


@pytest.mark.parametrize("limit", ["1ms", "0.000001s"])
def test_a_unit_that_is_not_known_is_bad_input_and_a_tiny_limit_is_a_limit(limit: str, tmp_path: Path) -> None:
    done = run("solve", "--example", "crates", "--time-limit", limit, cwd=tmp_path)
    assert done.returncode == (31 if limit.endswith("ms") else 23)


@pytest.mark.parametrize("stage", STAGES)
def test_the_memory_limit_ends_every_stage(stage: str, files: dict[str, tuple[str, str]], tmp_path: Path) -> None:
    idle = resident_kb("import banditplan.cli.main")
    # The text of the long file alone takes 30 MB; a search grows slowly.
    limit = idle + 1024 * {"parsing": 60, "grounding": 50, "searching": 6}[stage]
    done = run(
        "solve", *files[stage], "--memory-limit", f"{limit}K", "--time-limit", "50s", "--json", "-", cwd=tmp_path
    )
    assert done.returncode == 22
    answer = json.loads(done.stdout)
    assert answer["status"] == "memory-limit"
    check_stage(answer, stage)
    assert done.stderr.splitlines()[-1].startswith("memory-limit: no plan within the memory limit; ")


@pytest.mark.parametrize("limit", ["1", "1K", "3M", "5MB", "6MiB"])
def test_less_memory_than_the_program_itself_takes_is_22(limit: str, tmp_path: Path) -> None:
    done = run("solve", "--example", "warehouse", "--memory-limit", limit, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (22, "")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("stage", STAGES)
def test_ctrl_c_ends_every_stage(stage: str, files: dict[str, tuple[str, str]], tmp_path: Path) -> None:
    with OnTerminal("solve", *files[stage], "--json", "-", cwd=tmp_path) as command:
        command.wait_for("expansions, " if stage == "searching" else f"{stage} …")
        time.sleep(0.3)
        assert command.interrupt() < SECONDS_TO_END
        assert command.process.returncode == 130
        answer = json.loads(command.stdout)
        assert answer["status"] == "interrupted"
        check_stage(answer, stage)
        assert "\r\x1b[Kinterrupted: " in command.screen
        assert "Traceback" not in command.screen
    assert not (tmp_path / "sas_plan").exists()


def test_ctrl_c_ends_the_ground_command(files: dict[str, tuple[str, str]], tmp_path: Path) -> None:
    with OnTerminal("ground", *files["grounding"], cwd=tmp_path) as command:
        command.wait_for("grounding …")
        assert command.interrupt() < SECONDS_TO_END
        assert command.process.returncode == 130
        assert "Traceback" not in command.screen


@pytest.mark.parametrize("limit", ["25M", "35M", "45M", "100M"])
def test_threads_that_cannot_be_started_are_done_without(limit: str, tmp_path: Path) -> None:
    """Each takes some memory of its own."""
    done = run("solve", "--example", "crates", "--threads", "4", "--memory-limit", limit, cwd=tmp_path)
    assert done.returncode in (0, 22), done.stderr
    assert "terminate" not in done.stderr
