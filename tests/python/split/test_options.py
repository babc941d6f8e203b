"""When actions are split, and what users see of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from puzzles import Texts, write
from random_tasks import PddlText

import banditplan as bp
from banditplan.cli import BAD_INPUT
from banditplan.cli.main import main
from banditplan.normalize.normalize import normalize
from banditplan.split.estimate import Estimate
from banditplan.split.split import split


def wide(things: int) -> Texts:
    """An action with eight parameters, each with a condition and an effect of its own."""
    variables = [f"?x{i}" for i in range(8)]
    domain = f"""
    (define (domain wide)
      (:requirements :strips)
      (:predicates (free ?x) (used ?x))
      (:action use :parameters ({" ".join(variables)})
        :precondition (and {" ".join(f"(free {name})" for name in variables)})
        :effect (and {" ".join(f"(used {name})" for name in variables)})))"""
    names = [f"o{i}" for i in range(things)]
    problem = f"""
    (define (problem wide)
      (:domain wide)
      (:objects {" ".join(names)})
      (:init {" ".join(f"(free {name})" for name in names)})
      (:goal (and {" ".join(f"(used {name})" for name in names[:6])})))"""
    return domain, problem


def test_a_wide_action_is_split_by_itself(tmp_path: Path) -> None:
    result = bp.solve(*write(tmp_path, wide(20)))
    assert result.split is not None
    assert [schema["action"] for schema in result.split] == ["use"]
    assert result.split[0]["parts"] > 1
    assert result.to_dict()["split"] == result.split
    assert result.solved
    assert result.valid
    assert result.plan is not None
    assert {step.name for step in result.plan} == {"use"}
    assert result.plan_cost == len(result.plan)


def test_a_small_one_is_not(tmp_path: Path) -> None:
    result = bp.solve(*write(tmp_path, wide(2)))
    assert result.split == []
    assert result.task is not None
    assert result.task["actions"] == 2**8


def test_load_does_not_split_unless_told_to() -> None:
    files = bp.example("crates")
    assert not any("@" in fact for fact in bp.load(*files).facts)
    task = bp.load(*files, split="always")
    assert any("@" in fact for fact in task.facts)
    result = bp.solve(task)
    assert result.valid
    assert result.split


def test_the_command_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["ground", "--example", "crates", "--split", "always", "--json", str(tmp_path / "record.json")]) == 0
    record = json.loads((tmp_path / "record.json").read_text())
    told = capfd.readouterr().out
    assert record["split"]
    for schema in record["split"]:
        assert f"split {schema['action']}: {schema['parts']} parts\n" in told
    assert main(["ground", "--example", "crates", "--split", "sometimes"]) == BAD_INPUT
    assert "split: expected one of auto, never, always, not 'sometimes'" in capfd.readouterr().err


def test_the_estimate_counts_static_conditions_and_bounds_fluents_by_types() -> None:
    pddl = PddlText(
        """(define (domain d) (:requirements :typing) (:types town truck)
          (:predicates (road ?x ?y - town) (at ?t - truck ?x - town) (lost ?x - town) (found ?x - town))
          (:action drive :parameters (?t - truck ?x ?y - town) :precondition (and (at ?t ?x) (road ?x ?y))
            :effect (and (at ?t ?y) (not (at ?t ?x))))
          (:action find :parameters (?x ?y - town) :precondition (and (lost ?x) (road ?x ?y)) :effect (found ?x)))""",
        """(define (problem p) (:domain d) (:objects a b c d - town t u - truck)
          (:init (at t a) (at u b) (road a b) (road b c) (road c a)) (:goal (at t c)))""",
    )
    task = normalize(pddl.parsed())
    estimate = Estimate(task)
    drive, find = task.schemas
    assert (estimate.size(drive), estimate.size(find)) == (pytest.approx(6), 0)
    estimate.look_for_adds()
    assert estimate.size(drive) == pytest.approx(6)
    assert estimate.never == [find]


def test_splitting_is_the_same_every_time() -> None:
    domain, problem = wide(20)
    task = normalize(PddlText(domain, problem).parsed())
    assert split(task, "auto").chains == split(task, "auto").chains
