"""Data for learning: states with what is known of them, as NumPy arrays and Arrow tables; `banditplan[data]`.

>>> import banditplan as bp
>>> from banditplan import data
>>> task = bp.load(*bp.example("crates"), keep_irrelevant=True)
>>> walks = data.from_walks(task, walks=10, steps=20, heuristics=["ff"])
>>> len(walks), walks.facts().shape == (len(walks), len(walks.fact_names))
(210, True)
"""

from __future__ import annotations

from banditplan.data.dataset import Dataset, Encoding, concatenated
from banditplan.data.graphs import Graphs, object_graphs
from banditplan.data.sources import from_experiment, from_plan, from_search, from_solutions, from_walks

__all__ = [
    "Dataset",
    "Encoding",
    "Graphs",
    "concatenated",
    "from_experiment",
    "from_plan",
    "from_search",
    "from_solutions",
    "from_walks",
    "object_graphs",
]
