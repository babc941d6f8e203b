"""The shapes of other servers: planutils (planning as a service) and the plain /solve."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from puzzles import endless_search, sliding
from serving import Serving, example, wait_for

import banditplan as bp
from banditplan.errors import Source
from banditplan.plan import read_plan

httpx = pytest.importorskip("httpx")


@pytest.fixture
def client(serving: Serving) -> Iterator[Any]:
    with httpx.Client(base_url=serving.url, timeout=60) as client:
        yield client


def expected(name: str) -> list[str]:
    plan = bp.solve(*bp.example(name)).plan
    assert plan is not None
    return [str(step) for step in plan]


def polled(client: Any, method: str, address: str) -> dict[str, Any]:
    answer: dict[str, Any] = {"status": "PENDING"}

    def ready() -> bool:
        nonlocal answer
        response = client.request(method, address)
        assert response.status_code == 200
        answer = response.json()
        return answer["status"] != "PENDING"

    wait_for(ready)
    return answer


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_planutils_client_finds_the_package_and_polls_for_the_plan(method: str, client: Any) -> None:
    manifest = client.get("/package").json()["banditplan"]
    assert manifest == client.get("/package/banditplan").json() == client.get("/package/banditplan/solve").json()
    service = manifest["endpoint"]["services"]["solve"]
    task = example("crates")
    answer = client.post("/package/banditplan/solve", json={one["name"]: task[one["name"]] for one in service["args"]})
    assert answer.status_code == 200
    assert answer.json()["result"].startswith("/check/")
    found = polled(client, method, answer.json()["result"])
    assert found["status"] == "ok"
    result = found["result"]
    assert [str(step) for step in read_plan(Source("plan", result["output"]["sas_plan"]))] == expected("crates")
    assert [step["name"] for step in result["plan"]] == expected("crates")
    assert result["stdout"].startswith("solved: ")
    assert result["stderr"] == ""
    assert client.get(f"{client.base_url}/{answer.json()['result']}").json() == found  # as planutils joins addresses


def test_a_planutils_client_hears_why_there_is_no_plan(client: Any) -> None:
    task = example("crates")
    task["problem"] = task["problem"].replace("(:init", "(:initt")
    address = client.post("/package/banditplan/solve", json=task).json()["result"]
    result = polled(client, "GET", address)["result"]
    assert result["output"] == {}
    assert result["stderr"].startswith("problem.pddl:")


@pytest.mark.parametrize("path", ["/package/lama", "/package/banditplan/validate", "/check/nothing"])
def test_what_is_not_there_is_404(path: str, client: Any) -> None:
    assert client.get(path).status_code == 404
    assert client.post(path, json=example("crates")).status_code == 404


def test_solve_answers_with_the_plan(client: Any) -> None:
    answer = client.post("/solve", json={**example("warehouse"), "is_url": False})
    assert answer.status_code == 200
    assert answer.json()["status"] == "ok"
    result = answer.json()["result"]
    assert [step["name"] for step in result["plan"]] == expected("warehouse")
    assert result["length"] == len(result["plan"])
    assert (result["parse_status"], result["val_status"]) == ("ok", "valid")


@pytest.mark.parametrize(
    ("task", "says"),
    [
        ({"domain": "(define (domain d)", "problem": ""}, "domain.pddl:1:1: this parenthesis is never closed"),
        (dict(zip(("domain", "problem"), sliding(2, 3), strict=True)), "proved unsolvable"),
        ({**dict(zip(("domain", "problem"), endless_search(), strict=True)), "time_limit": 0.5}, "time limit"),
    ],
)
def test_solve_says_why_there_is_no_plan(task: dict[str, object], says: str, client: Any) -> None:
    answer = client.post("/solve", json=task)
    assert answer.status_code == 200
    assert answer.json()["status"] == "error"
    assert says in answer.json()["result"]["error"]


def test_a_client_that_goes_away_ends_its_run(serving: Serving) -> None:
    domain, problem = endless_search()
    body = httpx.Request("POST", "http://x", json={"domain": domain, "problem": problem}).content
    address = urlsplit(serving.url)
    with socket.create_connection((address.hostname, address.port)) as connection:
        head = (
            f"POST /solve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
        )
        connection.sendall(f"{head}\r\n\r\n".encode() + body)
        wait_for(lambda: serving.workers)
    wait_for(lambda: not serving.workers)
