"""Traces for tests: real ones, and made ones in which one thing is wrong."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import banditplan as bp

Line = dict[str, Any]
HOSTILE = "</script><script>document.title='broken'</script><!-- <img src=x onerror=alert(1)> & \"'{{data}} \u2028"


@cache
def real(search: str = "guct-normal2", example: str = "warehouse", **options: Any) -> str:
    texts: list[str] = []
    bp.solve(*bp.example(example), search=search, trace=texts.append, **options)
    return texts[0]


def lines(text: str) -> list[Line]:
    return [json.loads(line) for line in text.split("\n")[:-1]]


def text(trace: list[Line]) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in trace)


END = {"cost": 2, "evaluations": 10, "expansions": 2, "generated": 12, "inserted": 10, "dead_ends": 1, "best_h": 3}
END |= {"search": 1, "earlier": 0, "plan_length": 2, "plan_cost": 2}


def data(node: int, action: int, count: int = 4, mean: float = 5.0, variance: float = 1.0) -> Line:
    return {
        "node": node,
        "action": action,
        "h": 5,
        "count": count,
        "mean": mean,
        "variance": variance,
        "minimum": 3,
        "maximum": 7,
        "open_minimum": 3,
        "locked": False,
        "preferred": False,
        "followed": False,
        "children": 0,
    }


def made(children: int = 3, shown: int = 2, name: str = "(move a b)") -> list[Line]:
    """A root with children, of which some are shown; one round ended at the root, one went to node 1."""
    arms = [
        {**data(1, 0, mean=5.0, variance=4.0), "estimate": 5.0, "score": 0.92},
        {**data(2, 1, mean=4.5, variance=1.0), "estimate": 4.5, "score": 2.46},
    ]
    step = {"kind": "step", "expansions": 1, "inserted": 9, "best_h": 3, "nodes": children + 1, "leaves": children}
    step |= {"locked": 0, "dead_ends": 1, "duplicates": 2, "plateaus": 1, "h": 5, "leaf_locked": False}
    choice = {"node": 0, "g": 0, "total": 8, "children": children, "offered": children, "chosen": 1, "arms": arms}
    root = {"kind": "node", "parent": -1, "g": 0, "state": 0, **data(0, -1, count=20), "children": children}
    kids = [{"kind": "node", "parent": 0, "g": 1, "state": i + 1, **data(i + 1, i % 2)} for i in range(shown)]
    header = {"kind": "header", "format": 3, "version": "0.1.0", "search": "guct(bandit=normal2())", "seed": 0}
    header |= {"algorithm": "guct(bandit=normal2)", "domain": "d.pddl", "problem": "p.pddl", "initial_h": 5}
    header["reasons"] = []
    return [
        header,
        {**step, "round": 0, "evaluations": 5, "leaf": 0, "depth": 0},
        {**step, "round": 1, "evaluations": 9, "leaf": 1, "depth": 1},
        {"kind": "path", "round": 0, "leaf": 0, "depth": 0, "decisions": 0, "choices": []},
        {"kind": "path", "round": 1, "leaf": 1, "depth": 1, "decisions": 1, "choices": [choice]},
        root,
        *kids,
        {"kind": "actions", "names": {"0": name, "1": "(move b a)"}},
        {
            "kind": "states",
            "names": {"7": "(at a)", "8": "(at b)"},
            "initial": [7],
            "nodes": {str(i + 1): [[8], [7]] for i in range(shown)},
        },
        {"kind": "end", "status": "solved", "plan": [0, 1], "nodes": [0, 1], **END},
    ]


def largest(nodes: int = 5_000) -> str:
    """As many lines, choices and arms as a trace can have."""
    trace = made(children=1_000_000, shown=2)
    header, step, path, root, actions, end = trace[0], trace[1], trace[4], trace[5], trace[-3], trace[-1]
    arm = path["choices"][0]["arms"][0]
    arms = [{**arm, "node": i + 1, "mean": 1 / 3 + i, "score": -1 / (3 + i)} for i in range(16)]
    choices = [{**path["choices"][0], "g": g, "arms": arms} for g in range(12)]
    kids = [{"kind": "node", "parent": 0, "g": 1, "state": i + 1, **data(i + 1, i % 2)} for i in range(nodes - 1)]
    return text(
        [
            header,
            *({**step, "round": i * 4096, "evaluations": i * 10_000, "depth": i} for i in range(1_000)),
            *({**path, "round": i * 16384, "choices": choices} for i in range(250)),
            {**root, "count": 50_000_000},
            *kids,
            actions,
            {**end, "plan": [0, 1] * 50_000, "nodes": list(range(100_000))},
        ]
    )
