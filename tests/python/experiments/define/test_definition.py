"""Files that define experiments: what they say is what is run, and what is wrong with them is said before that."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from banditplan.errors import InputError
from banditplan.experiments.define.definition import check_searches, load_definition, ready_made
from banditplan.experiments.define.experiment import Experiment, changes, restricted, with_options
from banditplan.experiments.define.suites import load_suite
from banditplan.experiments.run.queue import Queue

MINIMAL = 'suite = "examples"\nalgorithms = ["gbfs"]\n'


def defined(folder: Path, text: str, name: str = "mine.toml") -> Experiment:
    (folder / name).write_text(text)
    return load_definition(str(folder / name)).experiment


def test_the_ready_made() -> None:
    assert ready_made() == ("domains", "ipc18", "quick", "table1", "table1-c")
    for name in ready_made():
        experiment = load_definition(name).experiment
        assert experiment.name == name
        assert experiment.summary
        assert experiment.time_limit
        assert experiment.memory_limit_kb
    table1 = load_definition("table1").experiment
    assert (len(table1.algorithms), len(table1.columns), table1.seeds) == (21, 7, (1, 2, 3, 4, 5))
    assert (table1.max_evaluations, table1.prune_mutex) == (10_000, False)
    assert table1.search("guct*-01(c=0.5)", "ff+po") == "guct*-01(c=0.5, heuristic=ff, preferred=True)"
    assert len(load_definition("table1-c").experiment.algorithms) == 25
    ipc18 = load_definition("ipc18").experiment
    assert (ipc18.time_limit, ipc18.memory_limit_kb, ipc18.max_evaluations) == (30.0, 8 << 20, None)
    check_searches(load_definition("quick"))


def test_defaults_and_everything(tmp_path: Path) -> None:
    small = defined(tmp_path, MINIMAL)
    assert small.name == "mine"
    assert small.columns == {"ff": "heuristic=ff"}
    assert (small.seeds, small.prune_mutex, small.time_limit, small.memory_limit_kb) == ((1,), True, None, None)
    full = defined(
        tmp_path,
        """
        summary = "all keys"
        suite = "examples:crates"
        algorithms = { "my row" = "guct(c=3)", gbfs = "gbfs" }
        columns = { plain = "heuristic=ff", none = "" }
        seeds = [7, 5]
        max_evaluations = 10
        max_expansions = 20
        time_limit = "2m"
        memory_limit = "1G"
        prune_mutex = false
        """,
    )
    assert full.search("my row", "plain") == "guct(c=3, heuristic=ff)"
    assert full.search("gbfs", "none") == "gbfs"
    assert (full.seeds, full.seeds_of("my row"), full.seeds_of("gbfs")) == ((7, 5), (7, 5), (0,))
    assert (full.time_limit, full.memory_limit_kb) == (120.0, 1 << 20)
    assert (full.max_evaluations, full.max_expansions, full.prune_mutex) == (10, 20, False)
    assert Experiment.from_data(full.to_data()) == full


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("suite = x", "mine.toml: .*line 1"),
        ('algorithms = ["gbfs"]', "suite: expected a text, it is missing"),
        ('suite = "examples"', "algorithms: expected a list of texts, or a table of names and texts, it is missing"),
        ('suite = "examples"\nalgorithms = []', "algorithms: expected"),
        (MINIMAL + "seed = 3", 'unknown key "seed"; did you mean "seeds"'),
        (MINIMAL + "seeds = 0", "seeds: expected how many"),
        (MINIMAL + "seeds = [1, -1]", "seeds: expected how many"),
        (MINIMAL + "seeds = true", "seeds: expected how many"),
        (MINIMAL + "max_evaluations = 0", "max_evaluations: expected a whole number from 1, not 0"),
        (MINIMAL + 'time_limit = "soon"', "mine.toml: time limit 'soon': expected a number with a unit"),
        (MINIMAL + 'memory_limit = "2X"', "mine.toml: memory limit '2X'"),
        (MINIMAL + 'prune_mutex = "no"', "prune_mutex: expected true or false"),
        (MINIMAL + 'columns = ["fff"]', 'columns: unknown name "fff"; .*or define it'),
        (MINIMAL + "columns = [3]", "columns: expected a list of texts"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        defined(tmp_path, text)


def test_a_search_that_cannot_be_read_is_an_early_error(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('suite = "examples"\nalgorithms = ["gbfs", "gbsf"]\n')
    with pytest.raises(InputError, match=r'algorithm "gbsf", column "ff": .*unknown component.*--algorithms'):
        check_searches(load_definition(str(path)))


def test_unknown_experiments() -> None:
    with pytest.raises(InputError, match='unknown experiment "tabel1"; did you mean "table1"'):
        load_definition("tabel1")
    with pytest.raises(InputError, match=r"nowhere\.toml: no such file"):
        load_definition("nowhere.toml")


def test_python_files(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "def zero(states):\n    return [0 for state in states]\n"
        "experiment = dict(suite='examples', algorithms=['gbfs'], columns={'zero': 'heuristic=zero'})\n"
    )
    definition = load_definition(str(path))
    check_searches(definition)
    assert definition.experiment.search("gbfs", "zero") == "gbfs(heuristic=zero)"
    for text, complaint in (
        ("x = 1", "defines no dictionary named experiment"),
        ("experiment = dict(\n  suite=1/0)", r"mine\.py:2: ZeroDivisionError"),
        ("experiment = (", r"mine\.py:1: SyntaxError"),
        ("experiment = dict(suit='examples')", 'unknown key "suit"; did you mean "suite"'),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=complaint):
            load_definition(str(path))


def test_options_are_added_to_a_search() -> None:
    assert with_options("gbfs", "heuristic=ff") == "gbfs(heuristic=ff)"
    assert with_options("gbfs()", "heuristic=ff") == "gbfs(heuristic=ff)"
    assert with_options(" guct(bandit=ucb1(c=2)) ", "heuristic=ff") == "guct(bandit=ucb1(c=2), heuristic=ff)"
    assert with_options("gbfs", "") == "gbfs"


def test_parts() -> None:
    table1 = load_definition("table1").experiment
    part = restricted(table1, algorithms=["gbfs", "guct"], columns=["gc"], seeds=(9,), suite="examples")
    assert (list(part.algorithms), list(part.columns), part.seeds, part.suite) == (
        ["gbfs", "guct"],
        ["gc"],
        (9,),
        "examples",
    )
    with pytest.raises(InputError, match=r'algorithm "gbsf" is unknown; did you mean "gbfs"'):
        restricted(table1, algorithms=["gbsf"])
    with pytest.raises(InputError, match='column "x" is unknown; there are ff, hadd'):
        restricted(table1, columns=["x"])


def test_the_order_of_the_runs(tmp_path: Path) -> None:
    experiment = defined(
        tmp_path, 'suite = "examples:crates,lights"\nalgorithms = ["guct", "gbfs"]\ncolumns = ["ff", "gc"]\nseeds = 2'
    )
    instances = load_suite(experiment.suite).instances
    queue = Queue(experiment, instances, set())
    assert (queue.total, queue.left) == (12, 12)
    begun = queue.next(None)
    assert begun is not None
    batch, first = begun
    assert batch.instance.size == min(instance.size for instance in instances)
    assert (first.algorithm, first.column, first.seed) == ("guct", "ff", 1)
    queue.put_back(batch, first)
    keys = []
    while found := queue.next(batch):
        batch, key = found
        keys.append(key)
    assert keys[0] == first
    assert len(keys) == len(set(keys)) == 12
    assert [key.seed for key in keys].index(2) == 8  # all of the first turn, the runs without randomness among them
    rest = Queue(experiment, instances, set(keys[:5]))
    assert (rest.total, rest.left) == (12, 7)


def test_random_ties_need_seeds() -> None:
    experiment = Experiment.from_data({**load_definition("quick").experiment.to_data(), "seeds": [3, 4]})
    experiment = replace(experiment, algorithms={"first": "gbfs", "any": "gbfs(ties='random')"})
    assert (experiment.seeds_of("first"), experiment.seeds_of("any")) == ((0,), (3, 4))


def test_what_has_changed_is_said_in_words_and_seeds_are_no_change(tmp_path: Path) -> None:
    before = defined(tmp_path, MINIMAL)
    assert changes(before, before) == []
    other_seeds = replace(before, seeds=(1, 9))
    assert changes(before, other_seeds) == changes(other_seeds, before) == []
    after = replace(before, suite="examples:crates", algorithms={"wastar": "wastar"})
    assert changes(before, after) == [
        "suite examples:crates, before examples",
        "more algorithms: wastar",
        "no longer among the algorithms: gbfs",
    ]
