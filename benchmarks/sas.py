"""Reads the finite-domain tasks that Fast Downward's translator writes, so that both planners see the same task."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from banditplan import _core


def read_sas(text: str) -> _core.Task:
    """The task in a file of version 3; action costs count 1."""
    lines = iter(text.splitlines())
    skip_to(lines, "end_metric")
    variables, predicates = read_variables(lines)
    starts = [0, *accumulate(values for values, _ in variables)]
    mutexes = [[fact(starts, line) for line in group] for group in read_groups(lines, "end_mutex_group")]
    skip_to(lines, "begin_state")
    initial_state = [int(next(lines)) for _ in variables]
    skip_to(lines, "begin_goal")
    goal = read_facts(lines, starts)
    preconditions, effects = read_operators(lines, starts)
    axioms = list(read_axioms(lines, starts))
    return upright(variables, predicates, initial_state, goal, preconditions, effects, axioms, mutexes, starts)


def read_variables(lines: Iterator[str]) -> tuple[list[tuple[int, int]], list[str]]:
    variables, predicates = [], []
    for _ in range(int(next(lines))):
        skip_to(lines, "begin_variable")
        next(lines)
        layer, size = int(next(lines)), int(next(lines))
        variables.append((size, layer))
        for _ in range(size):
            name = next(lines)  # Atom at(truck, depot), NegatedAtom …, or <none of those>
            predicates.append("" if name.startswith("<") else name.split(" ", 1)[1].split("(")[0])
    skip_to(lines, "end_variable")
    return variables, predicates


def read_groups(lines: Iterator[str], end: str) -> Iterator[list[str]]:
    for _ in range(int(next(lines))):
        next(lines)
        yield [next(lines) for _ in range(int(next(lines)))]
        skip_to(lines, end)


def read_facts(lines: Iterator[str], starts: list[int]) -> list[int]:
    return [fact(starts, next(lines)) for _ in range(int(next(lines)))]


def read_operators(
    lines: Iterator[str], starts: list[int]
) -> tuple[list[list[int]], list[list[tuple[int, list[int]]]]]:
    preconditions, effects = [], []
    skip_to(lines, "end_goal")
    for _ in range(int(next(lines))):
        skip_to(lines, "begin_operator")
        next(lines)
        needs = read_facts(lines, starts)
        changes = []
        for _ in range(int(next(lines))):
            numbers = [int(word) for word in next(lines).split()]
            pairs = numbers[1 : 1 + 2 * numbers[0]]
            condition = [starts[v] + value for v, value in zip(pairs[::2], pairs[1::2], strict=True)]
            variable, before, after = numbers[-3:]
            if before >= 0 and starts[variable] + before not in needs:
                needs.append(starts[variable] + before)
            changes.append((starts[variable] + after, sorted(condition)))
        preconditions.append(sorted(needs))
        effects.append(changes)
    return preconditions, effects


def read_axioms(lines: Iterator[str], starts: list[int]) -> Iterator[tuple[int, list[int]]]:
    for line in lines:
        if line == "begin_rule":
            body = read_facts(lines, starts)
            variable, _, after = (int(word) for word in next(lines).split())
            yield starts[variable] + after, sorted(body)


def upright(
    variables: list[tuple[int, int]],
    predicates: list[str],
    initial_state: list[int],
    goal: list[int],
    preconditions: list[list[int]],
    effects: list[list[tuple[int, list[int]]]],
    axioms: list[tuple[int, list[int]]],
    mutexes: list[list[int]],
    starts: list[int],
) -> _core.Task:
    """The task, once the first value of each derived variable is the one that its axioms set."""
    name = list(range(starts[-1]))
    for head, _ in axioms:
        variable = next(v for v in range(len(variables)) if starts[v] <= head < starts[v + 1])
        if head != starts[variable]:
            name[starts[variable]], name[head] = head, starts[variable]
            predicates[starts[variable]], predicates[head] = predicates[head], predicates[starts[variable]]

    def renamed(facts: list[int]) -> list[int]:
        return sorted(name[each] for each in facts)

    return _core.make_task(
        variables=variables,
        predicates=predicates,
        initial_state=initial_state,
        goal=[name[each] for each in goal],
        preconditions=[renamed(each) for each in preconditions],
        effects=[[(name[head], renamed(condition)) for head, condition in each] for each in effects],
        axioms=[(name[head], renamed(body)) for head, body in axioms],
        mutexes=[renamed(each) for each in mutexes],
    )


def fact(starts: list[int], line: str) -> int:
    variable, value = line.split()
    return starts[int(variable)] + int(value)


def skip_to(lines: Iterator[str], line: str) -> None:
    while next(lines) != line:
        pass
