"""The tools in process: what they answer, what they refuse, and that nothing is left behind."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from puzzles import endless_search, long_text, sliding
from serving import example

import banditplan as bp

mcp = pytest.importorskip("mcp", reason="needs the extra banditplan[mcp]")

from jsonschema import validate as validate_schema  # noqa: E402
from mcp import Client  # noqa: E402

from banditplan.mcp.server import create_server  # noqa: E402
from banditplan.server.runs import Runs  # noqa: E402
from banditplan.server.settings import ServerSettings  # noqa: E402

TOOLS = {"check", "solve", "validate", "explain_unsolvable", "simulate", "next_actions", "examples"}
CRATES = example("crates")


@asynccontextmanager
async def connected(folder: Path | None = None, **limits: Any) -> AsyncIterator[tuple[Any, Runs]]:
    """A client and the runs of its server; in the end nothing must be left of them."""
    runs = Runs(ServerSettings(**{"jobs": 2, **limits}))
    try:
        async with Client(create_server(runs, None if folder is None else str(folder))) as client:
            yield client, runs
    finally:
        runs.shut()
        await runs.drained()
    assert not runs.running
    assert not runs.waiting


def call(tool: str, folder: Path | None = None, limits: dict[str, Any] | None = None, **arguments: Any) -> Any:
    """The structured answer, which keeps to the schema; or the text of an error."""

    async def asked() -> Any:
        async with connected(folder, **(limits or {})) as (client, _):
            schemas = {each.name: each.output_schema for each in (await client.list_tools()).tools}
            result = await client.call_tool(tool, arguments)
            text: str = result.content[0].text
            if result.is_error:
                return text
            validate_schema(result.structured_content, schemas[tool])
            assert text
            return result.structured_content

    return asyncio.run(asked())


# ---- what they answer


def test_tools_have_descriptions_and_schemas() -> None:
    async def listed() -> list[Any]:
        async with connected() as (client, _):
            return list((await client.list_tools()).tools)

    tools = asyncio.run(listed())
    assert {tool.name for tool in tools} == TOOLS
    for tool in tools:
        assert tool.description
        assert tool.output_schema["properties"]
        assert "context" not in tool.input_schema["properties"]
        assert all(each.get("description") for each in tool.input_schema["properties"].values()), tool.name
        assert tool.annotations.read_only_hint


def test_check_lists_all_faults_with_their_places() -> None:
    domain = """(define (domain d)
  (:predicates (lit ?x))
  (:action a :parameters (?x) :precondition (lti ?x) :effect (litt ?x)))"""
    found = call("check", domain=domain)
    assert not found["correct"]
    assert [(fault["line"], fault["column"]) for fault in found["faults"]] == [(3, 46), (3, 63)]
    for fault, word in zip(found["faults"], ("lti", "litt"), strict=True):
        assert (fault["severity"], fault["file"]) == ("error", "domain.pddl")
        assert word in fault["message"]
        assert '"lit"' in fault["suggestion"]
        line, carets = fault["excerpt"].split("\n")
        assert line[carets.index("^") :].startswith(word)
        assert carets.count("^") == len(word)


def test_check_of_what_is_right() -> None:
    assert call("check", **CRATES) == {"correct": True, "faults": []}
    assert call("check", domain=CRATES["domain"])["correct"]
    wrong = call("check", domain=CRATES["domain"], problem=CRATES["problem"].replace(":goal", ":gaol"))
    assert {fault["file"] for fault in wrong["faults"]} == {"problem.pddl"}


def test_solve_gives_a_valid_plan() -> None:
    found = call("solve", **CRATES)
    assert found["status"] == "solved"
    assert found["valid"]
    assert found["length"] == len(found["plan"])
    assert bp.validate(*bp.example("crates"), "\n".join(found["plan"])).valid


def test_solve_says_why_it_stopped() -> None:
    found = call("solve", **example("island"))
    assert found["status"] == "unsolvable"
    assert found["plan"] is None
    domain, problem = endless_search()
    found = call("solve", domain=domain, problem=problem, max_evaluations=100)
    assert found["status"] == "evaluation-limit"
    found = call("solve", domain=domain, problem=problem, time_limit=0.5)
    assert found["status"] == "time-limit"


def test_the_servers_limit_holds() -> None:
    domain, problem = endless_search()
    found = call("solve", limits={"time_limit": 0.5}, domain=domain, problem=problem, time_limit=1e6)
    assert found["status"] == "time-limit"


def test_validate_names_the_first_failing_step() -> None:
    plan = call("solve", **CRATES)["plan"]
    assert call("validate", **CRATES, plan=plan)["valid"]
    assert call("validate", **CRATES, plan="\n".join(plan))["valid"]
    verdict = call("validate", **CRATES, plan=["(up ground first)", "(up ground first)"])
    assert (verdict["valid"], verdict["step"], verdict["action"]) == (False, 2, "(up ground first)")
    assert verdict["conditions"] == ["(lift-at ground)"]
    assert "(lift-at first)" in verdict["state"]["facts"]
    short = call("validate", **CRATES, plan=plan[:-1])
    assert short["step"] is None
    assert short["conditions"]


def test_explain_unsolvable_names_goals_and_reasons() -> None:
    found = call("explain_unsolvable", **example("island"))
    assert found["proved"]
    assert found["goals"] == ["(searched treasure-island)"]
    assert found["reasons"][0]["fact"] == "(searched treasure-island)"
    assert not call("explain_unsolvable", **CRATES)["proved"]


def replayed(task: bp.Task, plan: list[str]) -> bp.State:
    state = task.initial_state
    for step in plan:
        state = task.apply(state, next(each for each in task.applicable(state) if str(each) == step))
    return state


def test_simulate_agrees_with_the_ground_task() -> None:
    plan = call("solve", **CRATES)["plan"]
    task = bp.load(*bp.example("crates"))
    for steps in (0, 1, len(plan) // 2, len(plan)):
        found = call("simulate", **CRATES, plan=plan, steps=steps, most=1000)
        state = replayed(task, plan[:steps])
        assert found["steps"] == found["cost"] == steps
        assert set(state.facts) <= set(found["state"]["facts"])
        assert {str(each) for each in task.applicable(state)} <= set(found["applicable"])
        assert found["applicable_count"] == len(found["applicable"])
        assert found["goal_reached"] == (steps == len(plan)) == (not found["missing_goals"])


def test_simulate_stops_where_a_step_fails() -> None:
    found = call("simulate", **CRATES, plan="(up ground first)\n(up ground first)\n(down first ground)", most=1)
    assert found["steps"] == 1
    assert found["failure"].startswith("step 2 (up ground first): ")
    assert len(found["applicable"]) == 1 < found["applicable_count"]


def test_next_actions_lead_to_the_goal() -> None:
    """The most promising action before the last step is one that reaches the goal."""
    plan = call("solve", **CRATES)["plan"]
    found = call("next_actions", **CRATES, plan=plan[:-1], most=3)
    assert found["actions"][0]["reaches_goal"]
    assert len(found["actions"]) <= 3
    start = call("next_actions", **CRATES, most=1000)
    values = [each["h"] for each in start["actions"]]
    assert values == sorted(values)
    task = bp.load(*bp.example("crates"))
    before = set(task.initial_state.facts)
    known = {str(each): each for each in task.applicable(task.initial_state)}
    for each in start["actions"]:
        if each["action"] in known:
            after = set(task.apply(task.initial_state, known[each["action"]]).facts)
            assert after - before <= set(each["adds"])
            assert before - after <= set(each["deletes"])
            assert before - set(each["deletes"]) | set(each["adds"]) >= after


def test_dead_ends_come_last() -> None:
    domain = """(define (domain d) (:predicates (a) (b) (c))
      (:action burn :precondition (a) :effect (and (not (a)) (c)))
      (:action wait :precondition (a) :effect (c))
      (:action go :precondition (and (a) (c)) :effect (b)))"""
    problem = "(define (problem p) (:domain d) (:init (a)) (:goal (b)))"
    found = call("next_actions", domain=domain, problem=problem)
    assert [(each["action"], each["h"]) for each in found["actions"]] == [("(wait)", 1), ("(burn)", None)]


def test_examples_can_be_solved() -> None:
    listed = call("examples")["examples"]
    assert {each["name"] for each in listed} >= {"crates", "warehouse"}
    assert all(each["domain"] is None for each in listed)
    (one,) = call("examples", name="crates")["examples"]
    assert {"domain": one["domain"], "problem": one["problem"]} == CRATES
    assert 'did you mean "crates"' in call("examples", name="crate")


# ---- what they refuse


@pytest.mark.parametrize("tool", sorted(TOOLS - {"examples", "check"}))
def test_a_fault_is_placed(tool: str) -> None:
    arguments = {**CRATES, "problem": CRATES["problem"].replace(":goal", ":gaol")}
    if tool == "validate":
        arguments["plan"] = ""
    text = call(tool, **arguments)
    assert "problem.pddl:" in text
    assert "^" in text


@pytest.mark.parametrize(
    ("tool", "arguments", "text"),
    [
        ("solve", {}, "problem"),
        ("solve", {"problem": 3}, "problem"),
        ("solve", {"problem": "", "time_limit": -1}, "time_limit"),
        ("solve", {"problem": "", "seed": -1}, "seed"),
        ("solve", {**CRATES, "search": "gbsf"}, "gbfs"),
        ("solve", {**CRATES, "problem": ""}, "problem.pddl"),
        ("solve", {**CRATES, "problem": "(" * 100_000}, "problem.pddl"),
        ("validate", {**CRATES, "plan": "no plan"}, "plan"),
        ("validate", {**CRATES, "plan": "(up ground first)\nup"}, "plan.txt:2:1: "),
        ("simulate", {**CRATES, "plan": ["(up ground first)", "up"]}, "plan.txt:2:1: "),
        ("simulate", {**CRATES, "most": 0}, "most"),
        ("nothing", {}, "nothing"),
    ],
)
def test_bad_arguments_are_named(tool: str, arguments: dict[str, Any], text: str) -> None:
    answer = call(tool, **{"domain": CRATES["domain"], **arguments})
    assert isinstance(answer, str)
    assert text in answer


def test_huge_texts_are_refused_and_large_ones_are_not() -> None:
    domain, problem = long_text(30_000)
    assert "at most" in call("solve", limits={"request_limit": 100_000}, domain=domain, problem=problem)
    assert call("solve", domain=domain, problem=problem)["status"] in ("solved", "unsolvable")


def test_memory_is_bounded() -> None:
    domain, problem = sliding(4, 4)
    blind = {"domain": domain, "problem": problem, "search": "gbfs(heuristic=blind)"}
    assert call("solve", limits={"memory_limit": 48 << 20}, **blind)["status"] == "memory-limit"


# ---- files


def test_no_file_is_read_without_a_root() -> None:
    domain, problem = bp.example("crates")
    assert "started without --root" in call("solve", domain=domain, problem=problem)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    (folder / "deep").mkdir(parents=True)
    for name, text in CRATES.items():
        (folder / "deep" / f"{name}.pddl").write_text(text, encoding="utf-8")
        (tmp_path / f"{name}.pddl").write_text(text, encoding="utf-8")
    (folder / "inner.pddl").symlink_to("deep/domain.pddl")
    (folder / "outer.pddl").symlink_to(tmp_path / "domain.pddl")
    (folder / "out").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe.pddl")
    (folder / "large.pddl").write_text(";" * 2_000_000, encoding="utf-8")
    (folder / "image.pddl").write_bytes(b"\xff\xfe\x00")
    return folder


@pytest.mark.parametrize("name", ["deep/domain.pddl", "inner.pddl", "deep/../deep/domain.pddl", "./inner.pddl"])
def test_files_below_the_root_are_read(root: Path, name: str) -> None:
    assert call("solve", root, domain=name, problem="deep/problem.pddl")["status"] == "solved"
    assert call("solve", root, domain=str(root / name), problem="deep/problem.pddl")["status"] == "solved"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("../domain.pddl", "not below"),
        ("deep/../../domain.pddl", "not below"),
        ("/etc/passwd", "not below"),
        ("outer.pddl", "not below"),
        ("out/domain.pddl", "not below"),
        ("out/root/../domain.pddl", "not below"),
        ("pipe.pddl", "not a file"),
        ("deep", "not a file"),
        (".", "not a file"),
        ("large.pddl", "larger than"),
        ("image.pddl", "UTF-8"),
        ("missing.pddl", "No such file"),
        ("nul\0.pddl", "no path"),
        ("x" * 5000, "too long"),
    ],
)
def test_other_files_are_refused(root: Path, name: str, text: str) -> None:
    answer = call("solve", root, {"request_limit": 1_000_000}, domain=name, problem="deep/problem.pddl")
    assert isinstance(answer, str)
    assert text in answer


# ---- how a call goes on and ends


def running(work: Callable[[Any, Runs], Coroutine[Any, Any, None]], **limits: Any) -> None:
    async def asked() -> None:
        async with connected(**limits) as (client, runs):
            await work(client, runs)

    asyncio.run(asked())


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(30) if hasattr(asyncio, "timeout") else _no_timeout():
        while not condition():
            await asyncio.sleep(0.01)


@asynccontextmanager
async def _no_timeout() -> AsyncIterator[None]:
    yield


def endless() -> dict[str, str]:
    domain, problem = endless_search()
    return {"domain": domain, "problem": problem}


def test_progress_is_told_and_grows() -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async def work(client: Any, runs: Runs) -> None:
        await client.call_tool("solve", {**endless(), "time_limit": 2}, progress_callback=note)

    running(work)
    assert [each[0] for each in told] == sorted(each[0] for each in told)
    assert {each[1] for each in told} == {2}
    assert any("evaluations" in (each[2] or "") for each in told)


def test_a_cancelled_call_ends_its_process() -> None:
    async def work(client: Any, runs: Runs) -> None:
        call = asyncio.create_task(client.call_tool("solve", endless()))
        await until(lambda: any(run.stage == "searching" for run in runs.running.values()))
        (run,) = runs.running.values()
        assert run.child is not None
        pid = run.child._process.pid
        call.cancel()
        await until(lambda: not runs.running)
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
        assert not (await client.call_tool("solve", CRATES)).is_error

    running(work)


def test_a_full_queue_is_said() -> None:
    async def work(client: Any, runs: Runs) -> None:
        calls = [asyncio.create_task(client.call_tool("solve", endless())) for _ in range(2)]
        await until(lambda: len(runs.running) == len(runs.waiting) == 1)
        result = await client.call_tool("solve", CRATES)
        assert result.is_error
        assert "try again" in result.content[0].text
        for each in calls:
            each.cancel()
        await until(lambda: not runs.running)

    running(work, jobs=1, queue=1)


def test_a_killed_process_is_an_error() -> None:
    async def work(client: Any, runs: Runs) -> None:
        call = asyncio.create_task(client.call_tool("solve", endless()))
        await until(lambda: any(run.stage == "searching" for run in runs.running.values()))
        (run,) = runs.running.values()
        assert run.child is not None
        run.child.kill()
        result = await call
        assert result.is_error
        assert "signal 9" in result.content[0].text

    running(work)
