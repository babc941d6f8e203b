"""Our own interface: start, follow, cancel; what is refused, and how errors are told."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from puzzles import endless_grounding, endless_search, sliding
from serving import Serving, example, wait_for

import banditplan as bp
from banditplan.components import ALIASES, default_search
from banditplan.components.spec import parse_search
from banditplan.errors import Source
from banditplan.pddl.parser import parse
from banditplan.plan import read_plan
from banditplan.validation import validate

httpx = pytest.importorskip("httpx")


@pytest.fixture
def client(serving: Serving) -> Iterator[Any]:
    with httpx.Client(base_url=serving.url, timeout=60) as client:
        yield client


def texts(puzzle: tuple[str, str]) -> dict[str, str]:
    return {"domain": puzzle[0], "problem": puzzle[1]}


def started(client: Any, **request: object) -> dict[str, Any]:
    answer = client.post("/api/runs", json=request)
    assert answer.status_code == 202, answer.text
    run: dict[str, Any] = answer.json()
    assert answer.headers["location"] == f"/api/runs/{run['id']}"
    return run


def followed(client: Any, run_id: str) -> list[dict[str, Any]]:
    """All that the server tells about a run until it is over."""
    with client.stream("GET", f"/api/runs/{run_id}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        return [json.loads(line[6:]) for line in stream.iter_lines() if line.startswith("data: ")]


def reached(client: Any, run_id: str, stage: str) -> None:
    wait_for(lambda: client.get(f"/api/runs/{run_id}").json()["stage"] == stage)


@pytest.mark.parametrize("name", ["crates", "warehouse", "garden"])
def test_a_run_is_what_the_python_interface_gives(name: str, client: Any) -> None:
    task = example(name)
    run = followed(client, started(client, **task, seed=3)["id"])[-1]
    assert run["state"] == "finished"
    assert run["problem"] is None
    expected = bp.solve(*bp.example(name), seed=3).to_dict()
    found = run["result"]
    for key in ("status", "plan", "plan_cost", "valid", "evaluations", "expansions", "task", "search", "seed"):
        assert found[key] == expected[key], key
    assert (found["domain"], found["problem"]) == ("domain.pddl", "problem.pddl")
    parsed = parse(Source("domain", task["domain"]), Source("problem", task["problem"]))
    assert validate(parsed, read_plan(Source("plan", "\n".join(found["plan"])))).valid


def test_a_run_is_followed_from_stage_to_stage(client: Any) -> None:
    run = started(client, **texts(endless_search()), time_limit=1.5)
    assert run["time_limit"] == 1.5
    seen = followed(client, run["id"])
    stages = list(dict.fromkeys(one["stage"] for one in seen))
    assert stages[-1] == "searching"
    progress = [one["progress"] for one in seen if one["progress"]]
    counts = [one["evaluations"] for one in progress]
    assert counts == sorted(counts)
    assert counts[-1] > counts[0] > 0
    assert all(one["memory_kb"] > 1000 and one["evaluations_per_second"] > 0 for one in progress)
    assert seen[-1]["state"] == "finished"
    assert seen[-1]["result"]["status"] == "time-limit"
    assert seen[-1]["explanation"].startswith("no plan within the time limit")


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (("(:init", "(:initt"), ("problem.pddl", "(:initt")),
        (("(stored piano", "(storred piano"), ("problem.pddl", "(storred")),
    ],
)
def test_an_error_has_its_place(change: tuple[str, str], place: tuple[str, str], client: Any) -> None:
    task = example("crates")
    task["problem"] = task["problem"].replace(*change, 1).replace("\n", "\r\n")
    problem = followed(client, started(client, **task)["id"])[-1]["problem"]
    before = task["problem"][: task["problem"].index(place[1]) + 1]
    assert problem["kind"] == "input"
    assert problem["file"] == place[0]
    assert problem["line"] == before.count("\n") + 1
    assert problem["column"] == len(before.rpartition("\n")[2]) + 1
    assert "did you mean" in problem["message"]
    assert "^^^" in problem["excerpt"]


def test_all_errors_are_told_up_to_ten(client: Any) -> None:
    task = example("crates")
    task["domain"] = task["domain"].replace(":precondition (and", ":precondition (and (nothing)", 1)
    wrong = "".join(f" (wrong{number} piano)" for number in range(20))
    task["problem"] = task["problem"].replace("(:init", f"(:init{wrong}", 1)
    problem = followed(client, started(client, **task)["id"])[-1]["problem"]
    places = [(each["file"], each["line"], each["column"]) for each in (problem, *problem["others"])]
    assert len(places) == len(set(places)) == 10
    assert {file for file, _, _ in places} <= {"domain.pddl", "problem.pddl"}
    assert all(each["message"] and "^" in each["excerpt"] for each in problem["others"])


@pytest.mark.parametrize("function", ["os.system", "python(os.system)", "__import__('os').system", "mine.bandit"])
def test_no_request_leads_to_python(function: str, client: Any) -> None:
    search = f"guct(bandit={function})"
    run = followed(client, started(client, **example("crates"), search=search)["id"])[-1]
    assert run["problem"]["kind"] == "input"
    run = followed(client, started(client, **example("crates"), search=f'guct(bandit="{function}")')["id"])[-1]
    assert run["problem"]["kind"] == "input"


def test_errors_without_a_place(client: Any) -> None:
    task = example("crates")
    run = followed(client, started(client, **task, search="guct-norml2")["id"])[-1]
    assert run["problem"]["kind"] == "input"
    assert run["problem"]["file"] is None
    assert "guct-normal2" in run["problem"]["message"]
    run = followed(client, started(client, domain="\0", problem="")["id"])[-1]
    assert "domain.pddl: is not a text file" in run["problem"]["message"]
    task["domain"] = task["domain"].replace("(:predicates", "(:constraints (and))\n(:predicates")
    run = followed(client, started(client, **task)["id"])[-1]
    assert run["problem"]["kind"] == "unsupported"


@pytest.mark.parametrize("stage", ["grounding", "searching"])
def test_cancel_ends_the_process_and_tells_how_far_it_came(stage: str, client: Any, serving: Serving) -> None:
    run_id = started(client, **texts(endless_search() if stage == "searching" else endless_grounding()))["id"]
    reached(client, run_id, stage)
    assert len(serving.workers) == 1
    with client.stream("GET", f"/api/runs/{run_id}/events") as stream:
        run = client.delete(f"/api/runs/{run_id}").json()
        last = [line for line in stream.iter_lines() if line.startswith("data: ")][-1]
    assert run["state"] == "cancelled"
    assert run["result"]["status"] == "interrupted"
    assert (run["result"]["evaluations"] > 0) == (stage == "searching")
    assert json.loads(last[6:])["result"] == run["result"]
    wait_for(lambda: not serving.workers)
    assert client.get(f"/api/runs/{run_id}").status_code == 404
    assert client.delete(f"/api/runs/{run_id}").status_code == 404


def test_runs_wait_for_their_turn_and_can_be_cancelled_there(client: Any, serving: Serving) -> None:
    busy = [started(client, **texts(endless_search()))["id"] for _ in range(2)]
    waiting = started(client, **example("crates"))
    last = started(client, **example("lights"))
    assert (waiting["state"], waiting["position"], last["position"]) == ("waiting", 0, 1)
    assert client.delete(f"/api/runs/{waiting['id']}").json()["state"] == "cancelled"
    assert client.get(f"/api/runs/{last['id']}").json()["position"] == 0
    assert client.get("/api/server").json()["waiting"] == 1
    for run_id in busy:
        client.delete(f"/api/runs/{run_id}")
    assert followed(client, last["id"])[-1]["result"]["status"] == "solved"
    wait_for(lambda: not serving.workers)


def test_the_memory_limit_holds(client: Any) -> None:
    run = started(client, **texts(sliding(4, 4)), search="gbfs(heuristic=blind)", memory_limit=48 << 20)
    run = followed(client, run["id"])[-1]
    assert run["result"]["status"] == "memory-limit"
    assert run["result"]["peak_memory_kb"] < 64 << 10


def test_limits_of_the_server_are_the_most_that_a_run_gets(client: Any) -> None:
    run = started(client, **example("crates"), time_limit=1e6, memory_limit=1 << 40)
    assert (run["time_limit"], run["memory_limit"]) == (300, 2 << 30)
    assert followed(client, run["id"])[-1]["result"]["status"] == "solved"


def test_a_run_without_a_report_says_so(client: Any) -> None:
    run_id = started(client, **example("crates"), search="gbfs")["id"]
    run = followed(client, run_id)[-1]
    assert run["result"]["status"] == "solved"
    assert run["report"] == "none"
    assert client.get(f"/api/runs/{run_id}/report").status_code == 409


@pytest.mark.parametrize(
    "wrong",
    [
        {"domain": 1, "problem": ""},
        {"domain": ""},
        {"domain": "", "problem": "", "seed": -1},
        {"domain": "", "problem": "", "time_limit": 0},
        {"domain": "", "problem": "", "memory_limit": 1},
        {"domain": "", "problem": "", "serach": "gbfs"},
        [],
    ],
)
def test_a_request_that_makes_no_sense_is_refused(wrong: object, client: Any) -> None:
    answer = client.post("/api/runs", json=wrong)
    assert answer.status_code == 422
    assert answer.json()["detail"]


@pytest.mark.parametrize("place", ["domain", "problem", "search", "seed", "\\ud800"])
def test_a_lone_surrogate_is_refused(place: str, client: Any) -> None:
    body = f'{{"domain": "", "problem": "", "{place}": "\\ud800"}}'.encode()
    answer = client.post("/api/runs", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["msg"]


@pytest.mark.parametrize("announced", [True, False])
def test_a_request_that_is_too_large_is_413(announced: bool, client: Any) -> None:
    body = json.dumps({"domain": " " * (3 << 20), "problem": ""}).encode()
    content = body if announced else (body[i : i + 65536] for i in range(0, len(body), 65536))
    answer = client.post("/api/runs", content=content, headers={"content-type": "application/json"})
    assert answer.status_code == 413
    assert "1,048,576 bytes" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "attacker.example"}, 421),
        ({"host": "attacker.example:8765"}, 421),
        ({"host": "127.0.0.1.attacker.example"}, 421),
        ({"host": "[::1"}, 421),
        ({"host": "localhost"}, 200),
        ({"host": "[::1]:80"}, 200),
        ({"origin": "https://attacker.example"}, 403),
        ({"origin": "http://127.0.0.1:1"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://["}, 403),
        ({"origin": "//[::1"}, 403),
    ],
)
def test_pages_of_others_are_refused(headers: dict[str, str], status: int, client: Any) -> None:
    assert client.get("/api/server", headers=headers).status_code == status
    if status != 200:
        assert client.post("/api/runs", headers=headers, json=example("crates")).status_code == status


def test_a_page_of_our_own_is_welcome(client: Any, serving: Serving) -> None:
    answer = client.get("/api/server", headers={"origin": serving.url})
    assert answer.status_code == 200
    assert "access-control-allow-origin" not in answer.headers
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'self'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/etc/passwd"])
def test_no_request_names_a_file(path: str, client: Any) -> None:
    assert client.get(path).status_code == 404


def test_examples_and_components(client: Any) -> None:
    found = {one["name"]: one for one in client.get("/api/examples").json()}
    assert found["crates"]["problem"] == example("crates")["problem"]
    components = client.get("/api/components").json()
    options = {one["name"]: one["options"] for one in components["searches"]}
    assert set(ALIASES) <= set(options)
    names = [name.replace("_", "-") for name in options]
    assert len(set(names)) == len(names)  # one spelling of each
    admissible = {one["name"]: one["admissible"] for one in components["heuristics"] if one["admissible"]}
    assert admissible == {"blind": "blind", "hmax": "hmax(cost='plan')"}
    assert parse_search(f"astar(heuristic={admissible['hmax']})") == parse_search("astar")
    assert options["bfs"] == []
    assert options["gbfs"] == ["heuristic", "preferred", "deferred"]
    assert options["guct-normal2"] == ["heuristic", "preferred", "deferred"]
    chosen = components["default"]
    taken = ", ".join(f"{option}={chosen[option]}" for option in options[chosen["search"]])
    assert parse_search(f"{chosen['search']}({taken})") == default_search()
    assert all(one["summary"] for one in components["searches"] + components["heuristics"])


def test_a_slow_client_does_not_hold_up_others(client: Any, serving: Serving) -> None:
    def slowly() -> Iterator[bytes]:
        yield b'{"domain": "'
        time.sleep(1)
        assert client2.get("/api/server").status_code == 200
        yield b'", "problem": ""}'

    with httpx.Client(base_url=serving.url) as client2:
        answer = client.post("/api/runs", content=slowly(), headers={"content-type": "application/json"})
        assert answer.status_code == 202


def test_plans_come_as_they_are_found(client: Any) -> None:
    task = example("warehouse")
    request = {"anytime": True, "search": "guct", "max_evaluations": 20_000, "report": True}
    run_id = started(client, **task, **request)["id"]
    told = followed(client, run_id)
    expected = list(bp.solve_anytime(*bp.example("warehouse"), search="guct", max_evaluations=20_000))
    last = told[-1]
    found = [(plan["number"], plan["cost"], plan["length"]) for plan in last["plans"]]
    assert found == [(i, result.plan_cost, result.plan_length) for i, result in enumerate(expected, 1)]
    assert len(found) > 1
    numbers = [len(run["plans"]) for run in told]
    assert numbers == sorted(numbers)
    assert last["result"]["plan_cost"] == found[-1][1]
    assert last["result"]["plans"] == len(found)
    plan = client.get(f"/api/runs/{run_id}/plan")
    assert plan.headers["content-type"].startswith("text/plain")
    steps = read_plan(Source("plan", plan.text))
    assert [str(step) for step in steps] == last["result"]["plan"]
    assert (last["report"], last["plan_page"]) == ("none", "ready")
    assert client.get(f"/api/runs/{run_id}/plan-page").text == bp.plan_page(*bp.example("warehouse"), steps)


def test_an_anytime_run_that_is_cancelled_keeps_its_plan(client: Any) -> None:
    run_id = started(client, **example("warehouse"), anytime=True, search="gbfs")["id"]
    wait_for(lambda: client.get(f"/api/runs/{run_id}").json()["plans"])
    run = client.delete(f"/api/runs/{run_id}").json()
    assert run["state"] == "cancelled"
    assert run["result"]["plan"] is not None
    assert run["result"]["end"] == "interrupted"


def test_a_plan_is_checked(client: Any) -> None:
    task = example("crates")
    files = bp.example("crates")
    plan = "".join(f"{step}\n" for step in bp.solve(*files).plan or ())
    run_id = started(client, **task, plan=plan, report=True)["id"]
    run = followed(client, run_id)[-1]
    assert (run["state"], run["result"], run["problem"]) == ("finished", None, None)
    assert run["check"]["valid"]
    assert run["check"]["length"] == len(plan.splitlines())
    assert run["plan_page"] == "ready"
    assert client.get(f"/api/runs/{run_id}/plan-page").text == bp.plan_page(*files, plan)
    assert client.get(f"/api/runs/{run_id}/plan").status_code == 409
    bad = followed(client, started(client, **task, plan="(up ground first)\n(up ground first)")["id"])[-1]
    verdict = bp.validate(*files, "(up ground first)\n(up ground first)")
    changing = [fact for fact in verdict.state or () if fact.startswith(("(lift-at ", "(room ", "(stored "))]
    assert bad["check"] == {
        "valid": False,
        "length": 2,
        "cost": verdict.cost,
        "reason": verdict.reason,
        "step": 2,
        "action": "(up ground first)",
        "conditions": ["(lift-at ground)"],
        "state": {"facts": changing, "count": len(changing)},
    }
    assert bad["plan_page"] == "none"
    wrong = followed(client, started(client, **task, plan="(up ground first)\nup")["id"])[-1]
    assert wrong["check"] is None
    assert (wrong["problem"]["file"], wrong["problem"]["line"]) == ("plan.txt", 2)
