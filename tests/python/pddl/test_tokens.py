"""Text to nested groups."""

from __future__ import annotations

import pytest

from banditplan.errors import PddlError, Place, Source
from banditplan.pddl.faults import tokens_at
from banditplan.pddl.tokens import CHUNK, MAX_DEPTH, read_tree


def groups(text: str) -> list[object]:
    return list(read_tree(Source("t.pddl", text)).root)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("  \n", []),
        ("()", [()]),
        ("(a b)", [("a", "b")]),
        ("(a (b c) d)", [["a", ("b", "c"), "d"]]),
        ("(A(B)C)", [["a", ("b",), "c"]]),
        ("((a)(b))", [[("a",), ("b",)]]),
        ("(a ((b) c) d) e", [["a", [("b",), "c"], "d"], "e"]),
        ("x (a)", ["x", ("a",)]),
        ("(p?x ?y)", [("p", "?x", "?y")]),
        ("(a\tb\r\n\fc)", [("a", "b", "c")]),
        ("(a ; (b\n c)", [("a", "c")]),
        ("(a;;; x ; y\n;\nb)", [("a", "b")]),
        ("(a) ; the end", [("a",)]),
        (";(\n(a);", [("a",)]),
        ("(ÄÖ é)", [("äö", "é")]),
    ],
)
def test_groups(text: str, expected: list[object]) -> None:
    assert groups(text) == expected


def test_equal_leaves_are_shared_unless_exact() -> None:
    source = Source("t.pddl", "(a (p) (p) () ())")
    shared = read_tree(source).root[0]
    assert shared[1] is shared[2]
    exact = read_tree(source, exact=True).root[0]
    assert exact[1] is not exact[2]
    assert exact[3] is not exact[4]
    assert exact == shared


def test_starts_are_tokens_of_list_sections() -> None:
    tree = read_tree(Source("t.pddl", "(define (domain d) (:a (b)) (:c) (:d x (y) z))"))
    assert tree.starts == {2: 6, 4: 15}
    define = tree.root[0]
    assert not isinstance(define, str)
    assert [list(tokens_at(tree.root, define, index)) for index in range(6)] == [[1], [2], [6], [12], [15], [23]]


def test_place_counts_lines_and_columns() -> None:
    source = Source("t.pddl", "; (no)\n(a\n\t(bc ; d\n  e))\n")
    places = [(Place(source, token).line, Place(source, token).column) for token in range(7)]
    assert places == [(2, 1), (2, 2), (3, 2), (3, 3), (4, 3), (4, 4), (4, 5)]


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("(a (b)", 1, 1, "this parenthesis is never closed"),
        ("(a\n (b", 2, 2, "this parenthesis is never closed"),
        ("(a))", 1, 4, "this parenthesis closes nothing; remove it"),
        (") (a)", 1, 1, "this parenthesis closes nothing; remove it"),
        (")", 1, 1, "this parenthesis closes nothing; remove it"),
        ("(a) ) ; )\n(", 1, 5, "this parenthesis closes nothing; remove it"),
        ("(define (domain d)\n (:action a (b)\n (:action c (d)))", 2, 2, "this parenthesis is never closed"),
        ("(define (domain d)\n (:a (b)\n (:c (d))\n (:e)", 2, 2, "this parenthesis is never closed"),
    ],
)
def test_unbalanced(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(PddlError) as caught:
        groups(text)
    assert (caught.value.line, caught.value.column, caught.value.message) == (line, column, message)


def test_depth_limit() -> None:
    groups("(" * (MAX_DEPTH + 1) + ")" * (MAX_DEPTH + 1))
    with pytest.raises(PddlError) as caught:
        groups("(" * (MAX_DEPTH + 2) + ")" * (MAX_DEPTH + 2))
    assert caught.value.column == MAX_DEPTH + 2
    assert caught.value.message == "nested more than 250 levels deep"


@pytest.mark.parametrize("text", ["(" * 1_000_000, ")" * 1_000_000, "(" * 500_000 + ")" * 500_000])
def test_many_parentheses_are_an_error(text: str) -> None:
    with pytest.raises(PddlError):
        groups(text)


@pytest.mark.slow
def test_chunks_do_not_show() -> None:
    words = " ".join(f"o{i}" for i in range(400_000))
    facts = " ".join(f"(p o{i}) ; comment (\n" for i in range(100_000))
    root = groups(f"(a ({words}) {facts})")
    assert len(root) == 1
    assert isinstance(root[0], list)
    assert len(root[0]) == 100_002
    assert len(root[0][1]) == 400_000
    assert root[0][-1] == ("p", "o99999")


def test_reading_a_large_text_looks_at_the_clock_again_and_again() -> None:
    """The time between two looks is bounded by the text between them."""
    text = "(define " + "(p a b) ; said twice\n" * (8 * CHUNK // 16) + ")"
    looks = 0

    def check() -> None:
        nonlocal looks
        looks += 1

    read_tree(Source("large", text), check)
    assert looks >= len(text.replace("; said twice", "")) // (2 * CHUNK)
