"""The functions of the API that take paths or texts: `solve`, `load`, `ground` and `validate`."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from puzzles import endless_grounding, long_text, write

import banditplan as bp
from banditplan import examples
from banditplan.errors import Source
from banditplan.pddl.parser import parse
from banditplan.validation import validate

FILES = tuple(map(Path, bp.example("crates")))
TEXTS = tuple(path.read_text(encoding="utf-8") for path in FILES)


# ---- paths and texts


def test_texts_and_paths_and_both_are_the_same_task() -> None:
    plans = {
        bp.solve(domain, problem).plan
        for domain in (FILES[0], str(FILES[0]), TEXTS[0])
        for problem in (FILES[1], str(FILES[1]), TEXTS[1])
    }
    assert len(plans) == 1
    assert bp.solve(bp.load(*TEXTS)).plan in plans
    assert [result.plan for result in bp.solve_anytime(*TEXTS, max_evaluations=1000)][:1] != []


@pytest.mark.parametrize("before", ["", "\n\n", "; a comment\n", "\ufeff", "\ufeff \t; both\r\n"])
def test_a_text_begins_with_a_parenthesis_or_a_comment(before: str) -> None:
    assert bp.ground(before + TEXTS[0], TEXTS[1]).task == bp.ground(*FILES).task


def test_errors_in_texts_have_their_place() -> None:
    with pytest.raises(bp.PddlError) as caught:
        bp.solve("(define (domain d)\n (:predicates p))", TEXTS[1])
    assert (caught.value.file, caught.value.line) == ("<domain>", 2)
    with pytest.raises(bp.PddlError, match=r"^<problem>:1:1: "):
        bp.solve(TEXTS[0], "(oops)")


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(bp.InputError, match=r"^nowhere\.pddl: no such file$"):
        bp.solve("nowhere.pddl", TEXTS[1])
    with pytest.raises(bp.InputError, match="no such file"):
        bp.solve(tmp_path / "(define", TEXTS[1])  # a Path is a path, whatever it begins with
    with pytest.raises(bp.InputError, match="no such file"):
        bp.load("nowhere.pddl")


def test_what_is_neither_a_path_nor_a_text_is_not_echoed() -> None:
    text = "define (domain d)\n" * 1000
    with pytest.raises(bp.InputError, match="neither a path nor PDDL") as caught:
        bp.solve(text, TEXTS[1])
    assert len(str(caught.value)) < 200
    with pytest.raises(bp.InputError, match="give both"):
        bp.solve(TEXTS[1])
    with pytest.raises(bp.InputError, match="expected a path or a text"):
        bp.solve(7, TEXTS[1])  # type: ignore[arg-type]


def test_bad_input_is_a_value_error() -> None:
    assert issubclass(bp.InputError, ValueError)
    with pytest.raises(ValueError, match="no such file"):
        bp.solve("nowhere.pddl", "nowhere.pddl")


# ---- ground


@pytest.mark.parametrize("name", examples.names())
def test_ground_gives_the_sizes_of_the_task(name: str) -> None:
    result = bp.ground(*bp.example(name))
    assert result.task == bp.load(*bp.example(name)).sizes
    assert result.status in ("grounded", "unsolvable")
    assert (result.evaluations, result.plan) == (0, None)


def test_a_limit_does_not_raise_in_ground(tmp_path: Path) -> None:
    assert bp.ground(*write(tmp_path, endless_grounding()), time_limit=0.1).status == "time-limit"


# ---- validate


def test_validate_takes_steps_a_text_or_a_path(tmp_path: Path) -> None:
    plan = bp.solve(*FILES).plan
    assert plan is not None
    text = "\n".join(map(str, plan))
    (tmp_path / "plan").write_text(text)
    verdicts = [bp.validate(*FILES, each) for each in (plan, text, f"; a comment\n{text}", tmp_path / "plan")]
    assert verdicts == [verdicts[0]] * 4
    assert verdicts[0].valid
    assert bp.validate(*TEXTS, plan[:-1]).conditions == (f"(stored {plan[-1].arguments[0]} ground)",)
    with pytest.raises(bp.InputError, match="no such file"):
        bp.validate(*FILES, "nowhere.plan")


# ---- warnings and records


def test_warnings_are_part_of_the_result() -> None:
    untyped = "(define (domain d) (:types t) (:predicates (p)) (:action a :effect (p)))"
    problem = "(define (problem q) (:domain d) (:init) (:goal (p)))"
    result = bp.solve(untyped, problem)
    assert result.warnings == ("<domain>: uses types without (:requirements :typing)",)
    assert result.to_dict()["warnings"] == list(result.warnings)
    assert bp.solve(bp.load(untyped, problem)).warnings == result.warnings
    assert bp.solve(*FILES).warnings == ()


# ---- limits of time in Python


def in_a_thread(work: object) -> tuple[object, float]:
    """What the work gives in a thread that is not the main one, and the seconds that it takes of its processor."""
    found: list[object] = []

    def run() -> None:
        assert callable(work)
        begin = time.thread_time()
        found.extend([work(), time.thread_time() - begin])

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    seconds = found[1]
    assert isinstance(seconds, float)
    return found[0], seconds


@pytest.mark.slow
def test_the_time_limit_ends_parsing_in_any_thread() -> None:
    texts = long_text(400_000)
    result, seconds = in_a_thread(lambda: bp.solve(*texts, time_limit=0.2))
    assert isinstance(result, bp.Result)
    assert (result.status, result.seconds["parse"]) == ("time-limit", 0)
    _, whole = in_a_thread(lambda: bp.ground(*texts))
    assert seconds < whole / 2


def test_validating_a_single_step_looks_at_the_limits() -> None:
    domain = """(define (domain d) (:predicates (p ?x) (q))
      (:action go :precondition (forall (?a ?b ?c) (or (not (p ?a)) (not (p ?b)) (p ?c))) :effect (q)))"""
    objects = " ".join(f"o{i}" for i in range(60))
    facts = " ".join(f"(p o{i})" for i in range(60))
    problem = f"(define (problem x) (:domain d) (:objects {objects}) (:init {facts}) (:goal (q)))"
    calls = 0

    class Over(Exception):
        pass

    def check() -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise Over

    parsed = parse(Source("d", domain), Source("p", problem))
    with pytest.raises(Over):
        validate(parsed, (bp.Step("go", ()),), check)
