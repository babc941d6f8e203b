"""The domain file that belongs to a problem file."""

from __future__ import annotations

from pathlib import Path

import pytest

from banditplan.domain_file import candidate_names, find_domain
from banditplan.errors import InputError


@pytest.mark.parametrize(
    ("domain", "problem"),
    [
        ("domain.pddl", "p01.pddl"),
        ("domain.pddl", "problem.pddl"),
        ("domain.pddl", "p01"),
        ("domain.pddl", "p01.txt"),
        ("domain.txt", "p01.txt"),
        ("p01-domain.pddl", "p01.pddl"),
        ("p01_domain.pddl", "p01.pddl"),
        ("p01-domain.pddl", "p01-airport1-p1.pddl"),
        ("p01-domain.pddl", "p01_airport.pddl"),
        ("domain_p01.pddl", "p01.pddl"),
        ("domain-p01.pddl", "p01.pddl"),
        ("domain-01.pddl", "p01.pddl"),
        ("domain_01.pddl", "p01.pddl"),
        ("domain01.pddl", "p01.pddl"),
        ("domain-1.pddl", "p01.pddl"),
        ("domain_1.pddl", "p01.pddl"),
        ("domain1.pddl", "p01.pddl"),
        ("domain-12.pddl", "prob-12.pddl"),
    ],
)
def test_the_customs_of_benchmark_collections(domain: str, problem: str, tmp_path: Path) -> None:
    for name in (domain, problem):
        (tmp_path / name).touch()
    assert find_domain(str(tmp_path / problem)) == str(tmp_path / domain)
    assert domain in candidate_names(problem)


def test_the_most_specific_name_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["domain.pddl", "domain-1.pddl", "domain-01.pddl", "domain_p01.pddl", "p01-domain.pddl"]
    (tmp_path / "p01.pddl").touch()
    for name in names:
        (tmp_path / name).touch()
        assert find_domain("p01.pddl") == name


def test_each_name_is_tried_once() -> None:
    for problem in ("p01.pddl", "p1.pddl", "problem.pddl", "a-b_c-007.pddl", "x"):
        names = candidate_names(problem)
        assert len(names) == len(set(names))
        assert names[-1] == "domain.pddl"


def test_a_file_is_not_its_own_domain_and_a_folder_is_none(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").touch()
    with pytest.raises(InputError, match="no domain file found beside it"):
        find_domain(str(tmp_path / "domain.pddl"))
    (tmp_path / "domain.pddl").unlink()
    (tmp_path / "domain.pddl").mkdir()
    (tmp_path / "p.pddl").touch()
    with pytest.raises(InputError, match="no domain file found beside it"):
        find_domain(str(tmp_path / "p.pddl"))


def test_what_was_tried_is_named_and_so_is_the_remedy(tmp_path: Path) -> None:
    problem = tmp_path / "p02.pddl"
    problem.touch()
    with pytest.raises(InputError) as caught:
        find_domain(str(problem))
    text = str(caught.value)
    assert text.startswith(f"{problem}: no domain file found beside it (looked for ")
    assert all(name in text for name in candidate_names("p02.pddl"))
    assert text.endswith("name it: banditplan solve DOMAIN PROBLEM")


def test_a_missing_problem_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"p03\.pddl: no such file"):
        find_domain(str(tmp_path / "p03.pddl"))
    with pytest.raises(InputError, match="is a directory; name the problem file inside it"):
        find_domain(str(tmp_path))
