"""Each error with its file, line, column and caret; `«…»` marks the culprit in the text."""

from __future__ import annotations

import pytest

from banditplan.errors import InputError, PddlError, Source, UnsupportedError
from banditplan.pddl.parser import parse

DOMAIN = """(define (domain d)
  (:requirements :adl :action-costs :derived-predicates)
  (:types truck plane - vehicle place)
  (:constants hub - place)
  (:predicates (at ?v - vehicle ?p - place) (free ?v - vehicle) (linked ?a ?b - place) (done))
  (:functions (total-cost) - number (length ?a ?b - place) - number)
  (:derived (linked ?a ?b - place) (done))
  (:action drive
    :parameters (?v - truck ?from ?to - place)
    :precondition (and (at ?v ?from) (free ?v))
    :effect (and (at ?v ?to) (not (at ?v ?from)) (increase (total-cost) (length ?from ?to)))))
"""
PROBLEM = """(define (problem p)
  (:domain d)
  (:objects t - truck f - plane a b - place)
  (:init (at t a) (free t) (= (length a b) 3) (= (total-cost) 0))
  (:goal (at t b))
  (:metric minimize (total-cost)))
"""


def failure(domain: str, problem: str) -> PddlError:
    with pytest.raises(PddlError) as caught:
        parse(Source("d.pddl", domain), Source("p.pddl", problem))
    return caught.value


def check(name: str, marked: str, other: str, message: str, kind: type[PddlError] = PddlError) -> None:
    """Parse the marked text and compare the error's place with the mark."""
    before, _, rest = marked.partition("«")
    culprit, _, after = rest.partition("»")
    text = before + culprit + after
    error = failure(text, other) if name == "d.pddl" else failure(other, text)
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    assert error.message == message
    assert type(error) is kind
    assert (error.file, error.line, error.column) == (name, line, column)
    shown = text.split("\n")[line - 1].rstrip()
    assert error.excerpt.split("\n")[1].strip() == "^" * len(culprit)
    if len(shown) <= 120:
        assert error.excerpt == f"{shown}\n{' ' * (column - 1)}{'^' * len(culprit)}"
    assert str(error) == f"{name}:{line}:{column}: {message}\n{error.excerpt}"


def in_domain(old: str, new: str, message: str, kind: type[PddlError] = PddlError) -> None:
    assert DOMAIN.count(old) == 1
    check("d.pddl", DOMAIN.replace(old, new), PROBLEM, message, kind)


def in_problem(old: str, new: str, message: str, kind: type[PddlError] = PddlError) -> None:
    assert PROBLEM.count(old) == 1
    check("p.pddl", PROBLEM.replace(old, new), DOMAIN, message, kind)


def in_condition(new: str, message: str, kind: type[PddlError] = PddlError) -> None:
    in_domain("(and (at ?v ?from) (free ?v))", new, message, kind)


def in_effect(new: str, message: str, kind: type[PddlError] = PddlError) -> None:
    in_domain("(at ?v ?to)", new, message, kind)


def in_init(new: str, message: str, kind: type[PddlError] = PddlError) -> None:
    in_problem("(free t)", new, message, kind)


def test_texts_are_right() -> None:
    assert parse(Source("d.pddl", DOMAIN), Source("p.pddl", PROBLEM)).warnings == ()


def test_whole_message() -> None:
    text = (
        "(define (domain d)\n\t(:predicates (on-table ?x))\n\t(:action a :parameters (?x)\n\t :effect (on-tabel ?x)))"
    )
    problem = "(define (problem p) (:domain d) (:init) (:goal (and)))"
    assert str(failure(text, problem)) == (
        'd.pddl:4:12: unknown predicate "on-tabel"; did you mean "on-table"?\n'
        "\t :effect (on-tabel ?x)))\n\t          ^^^^^^^^"
    )


# ---- the frame


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("«hello»", 'expected "(define (domain …) …)", found "hello"'),
        ("«(»)", 'expected "(define (domain …) …)", found "("'),
        ("«(»domain d)", 'expected "(define (domain …) …)", found "(domain …)"'),
        ("(define«)»", 'expected "(domain name)" after "define"'),
        ("(define «d»)", 'expected "(domain name)" after "define"'),
        ("(define (domain«)»)", "expected the name of the domain"),
        ("(define (domain d «e»))", 'unexpected "e" after the name of the domain'),
        ("(define («domian» d))", 'expected "domain", found "domian"'),
        ("(define («problem» d))", "this is a problem, but a domain is expected here; did you swap the two files?"),
        ("(define (domain d)) «x»", 'unexpected text after the end of "(define …)": "x"'),
        ("(define (domain d)) «(»define)", 'unexpected text after the end of "(define …)": "(define …)"'),
        ("(define (domain d) «x»)", 'expected a section such as (:action …), found "x"'),
        ("(define (domain d) «(»))", 'expected a section such as (:action …), found "("'),
        ("(define (domain d) («:actoin» a))", 'unknown section ":actoin"; did you mean ":action"?'),
        ("(define (domain d) («:init» a))", "(:init …) belongs in the problem, not in the domain"),
        ("(define (domain d) (:types) («:types»))", "a second (:types …); merge it with the first one"),
        ("(define (domain d) (:requirements «x»))", 'expected a requirement such as ":strips", found "x"'),
        (
            "(define (domain d) («xyzzy»))",
            'unknown section "xyzzy"; known in a domain: :requirements :types :constants :predicates :functions'
            " :derived :action",
        ),
    ],
)
def test_frame(text: str, message: str) -> None:
    check("d.pddl", text, PROBLEM, message)


@pytest.mark.parametrize("text", ["", "\n\n", "; nothing"])
def test_empty_file(text: str) -> None:
    error = failure(text, PROBLEM)
    assert (error.line, error.column) == (1, 1)
    assert error.message == 'expected "(define (domain …) …)"; the file is empty'


def test_swapped_files() -> None:
    error = failure(PROBLEM, DOMAIN)
    assert str(error).startswith("d.pddl:1:10: this is a problem, but a domain is expected here; did you swap")
    error = failure(DOMAIN, DOMAIN)
    assert str(error).startswith("p.pddl:1:10: this is a domain, but a problem is expected here; did you swap")


@pytest.mark.parametrize(
    ("section", "feature"),
    [
        (":durative-action", "durative actions"),
        (":constraints", "trajectory constraints"),
        (":process", "processes"),
        (":event", "events"),
        (":axiom", "axioms in the syntax of PDDL 1"),
    ],
)
def test_unsupported_sections(section: str, feature: str) -> None:
    message = f'{feature} ("{section}") are not supported'
    in_domain("(:action drive", f"(«{section}» x)(:action drive", message, UnsupportedError)


def test_sections_of_the_problem() -> None:
    in_problem("(:goal (at t b))", "(«:gaol» (at t b))", 'unknown section ":gaol"; did you mean ":goal"?')
    in_problem("(:goal (at t b))", "(«:action» a)", "(:action …) belongs in the domain, not in the problem")
    in_problem("(:domain d)", "(«:domain»)", 'expected "(:domain name)"')
    in_problem(
        "(:goal (at t b))",
        "(«:constraints» ())",
        'trajectory constraints (":constraints") are not supported',
        UnsupportedError,
    )


@pytest.mark.parametrize("section", [":init", ":goal"])
def test_missing_sections(section: str) -> None:
    lines = [line for line in PROBLEM.split("\n") if section not in line]
    marked = "\n".join(lines).replace("(define", "(«define»")
    check("p.pddl", marked, DOMAIN, f"the problem has no ({section} …)")


# ---- types and typed lists


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ("(:types «a» - b b - c c - a)", 'type "a" is its own ancestor: a - b - c - a'),
        ("(:types x - a «a» - (either object a))", 'type "a" is its own ancestor: a - a'),
        ("(:types «a» - b b - c a - d d - a)", 'type "a" is its own ancestor: a - d - a'),
        ("(:types «object» - thing)", 'type "object" is the root of all types; it has no parent'),
        ("(:types «-» a)", 'expected a type before "-"'),
        ("(:types a -«)»", 'expected a type after "-"'),
        ("(:types a - «(»either))", 'expected a type after "-"'),
        ("(:types «?a»)", 'expected a type, found "?a"'),
        ("(:types «(»either a b))", 'expected a type, found "(either …)"; "(either …)" follows a "-"'),
        ("(:constants a - «plaec») (:types place)", 'unknown type "plaec"; did you mean "place"?'),
        ("(:constants a - (either place «plaec»)) (:types place)", 'unknown type "plaec"; did you mean "place"?'),
        ("(:constants a «-place») (:types place)", 'expected a constant, found "-place"; put a space after "-"'),
        ("(:constants a - place b «a») (:types place)", 'constant "a" is declared twice'),
        ("(:constants a a - place c - place «c») (:types place)", 'constant "c" is declared twice'),
        ("(:predicates (p «x»))", 'expected a variable, found "x"; variables begin with "?"'),
        ("(:predicates (p «?» x))", 'expected a variable, found "?"; variables begin with "?"'),
        ("(:predicates (p ?x) («p» ?x ?y))", 'predicate "p" is declared twice; the first time as (p ?x)'),
        ("(:predicates «p»)", 'expected a predicate in parentheses, found "p"'),
        ("(:predicates («and» ?x))", '"and" cannot be the name of a predicate'),
        ("(:predicates («?x»))", '"?x" cannot be the name of a predicate'),
        ("(:predicates («(»p)))", "expected the name of a predicate"),
        ("(:functions «f»)", 'expected a function in parentheses, found "f"'),
        ("(:action a :parameters (?x ?y «?x»))", 'variable "?x" is declared twice'),
        ("(:action a :parameters «?x»)", 'expected a list of variables in parentheses, found "?x"'),
        ("(:action«)»", "expected the name of the action"),
        ("(:action «:parameters» ())", 'expected the name of the action, found ":parameters"'),
        (
            "(:action a «:efect» ())",
            'expected one of :parameters, :precondition, :effect, found ":efect"; did you mean ":effect"?',
        ),
        ("(:action a «(»))", 'expected one of :parameters, :precondition, :effect, found "("'),
        ("(:action a «:effect»)", "nothing follows :effect"),
        ("(:action a :effect () «:effect» ())", "a second :effect in the same action"),
        ("(:action a) (:action «a»)", 'action "a" is defined twice'),
        ("(«:derived» (p))", "a derived predicate needs a head and a condition: (:derived (p ?x) (…))"),
        ("(:derived «p» ())", "expected the head of the derived predicate, such as (p ?x)"),
        ("(:predicates (pip)) (:derived («pipp») ())", 'unknown predicate "pipp"; did you mean "pip"?'),
        ("(:predicates (p)) (:derived («p» ?x) ())", '"p" takes 0 arguments, found 1; it is declared as (p)'),
        ("(:predicates (p ?x ?y)) (:derived (p ?x «?x») ())", 'variable "?x" is declared twice'),
        (
            "(:types a b) (:predicates (p ?x - a)) (:derived (p «?x» - b) ())",
            'the type of "?x" contradicts the declaration (p ?x - a)',
        ),
    ],
)
def test_declarations(section: str, message: str) -> None:
    check("d.pddl", f"(define (domain d)\n  {section})", PROBLEM, message)


def test_functions_with_objects_as_values() -> None:
    message = "functions whose values are objects are not supported"
    check("d.pddl", "(define (domain d) (:functions (f) - «place»))", PROBLEM, message, UnsupportedError)
    in_init("(= (length a b) «a»)", message, UnsupportedError)


# ---- conditions


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("(«att» ?v ?from)", 'unknown predicate "att"; did you mean "at"?'),
        ("(«ann» (done))", 'unknown predicate "ann"; did you mean "and"?'),
        ("(«xyzzy»)", 'unknown predicate "xyzzy"'),
        ("(at ?v «?form»)", 'unknown variable "?form"; did you mean "?from"?'),
        ("(at ?v «from»)", 'unknown object "from"; did you mean "?from"?'),
        ("(at ?v «hubb»)", 'unknown object "hubb"; did you mean "hub"?'),
        ("(«at» ?v)", '"at" takes 2 arguments, found 1; it is declared as (at ?v - vehicle ?p - place)'),
        ("(free ?v «?to»)", '"free" takes 1 argument, found 2; it is declared as (free ?v - vehicle)'),
        (
            "(at «?from» ?to)",
            '"?from" is of type place, but argument 1 of (at ?v - vehicle ?p - place) must be of type vehicle',
        ),
        (
            "(free «hub»)",
            '"hub" is of type place, but argument 1 of (free ?v - vehicle) must be of type vehicle',
        ),
        ("(free «(»f))", 'expected a variable or an object, found "(f …)"'),
        ("«done»", 'expected a condition in parentheses, found "done"'),
        ("(and «done»)", 'expected a condition in parentheses, found "done"'),
        ("(and (done) (done) (or (done) («dine»)))", 'unknown predicate "dine"; did you mean "done"?'),
        ("(«(»done))", 'expected a predicate or a word such as "and", found "(done …)"'),
        ("(«(»and (done)) (done))", 'expected a predicate or a word such as "and", found "(and …)"'),
        ("(«not»)", '"not" takes one condition, found 0'),
        ("(not (done) «(»done))", '"not" takes one condition, found 2'),
        ("(«imply» (done))", '"imply" takes two conditions, found 1'),
        ("(imply (done) (done) «(»done))", '"imply" takes two conditions, found 3'),
        ("(«forall» (?x))", '"forall" takes a list of variables and a condition, found 1'),
        ("(exists «?x» (done))", 'expected a list of variables in parentheses, found "?x"'),
        ("(exists (?x - «plane-») (done))", 'unknown type "plane-"; did you mean "plane"?'),
        ("(exists (?x «?x») (done))", 'variable "?x" is declared twice'),
        ("(and (exists (?x) (done)) (free «?x»))", 'unknown variable "?x"'),
        ("(«=» ?v)", '"=" takes two terms, found 1'),
        ("(= ?v «?w»)", 'unknown variable "?w"'),
        ("(«when» (done) (done))", '"when" belongs in an effect; a condition has "imply"'),
        ("(«increase» (total-cost) 1)", '"increase" cannot stand here; expected a predicate'),
    ],
)
def test_conditions(condition: str, message: str) -> None:
    in_condition(condition, message)


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("(«<» (length ?from ?to) 3)", 'numeric conditions ("<") are not supported'),
        ("(«>=» (length ?from ?to) 3)", 'numeric conditions (">=") are not supported'),
        ("(«=» (length ?from ?to) 3)", "numeric conditions are not supported"),
        ("(«preference» p1 (done))", 'preferences ("preference") are not supported'),
    ],
)
def test_unsupported_conditions(condition: str, message: str) -> None:
    in_condition(condition, message, UnsupportedError)


# ---- effects


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        ("(«or» (done) (done))", '"or" belongs in a condition; an effect has "and", "not", "forall", "when"'),
        ("(«dnoe»)", 'unknown predicate "dnoe"; did you mean "done"?'),
        ("(free «?x»)", 'unknown variable "?x"'),
        ("«done»", 'expected an effect in parentheses, found "done"'),
        ("(«(»done))", 'expected a predicate or a word such as "and", found "(done …)"'),
        ("(not «done»)", 'expected an atom in parentheses, found "done"'),
        ("(not («not» (done)))", '"not" cannot stand here; expected a predicate'),
        ("(«not»)", '"not" takes one atom, found 0'),
        ("(«when» (done))", '"when" takes a condition and an effect, found 1'),
        ("(«forall» (?x))", '"forall" takes a list of variables and an effect, found 1'),
        ("(forall (?x) (done) «(»done))", '"forall" takes a list of variables and an effect, found 3'),
        ("(«linked» ?from ?to)", 'the derived predicate "linked" cannot be changed by an effect'),
        ("(not («linked» ?from ?to))", 'the derived predicate "linked" cannot be changed by an effect'),
        ("(«increase» (total-cost))", '"increase" takes (total-cost) and an amount, found 1'),
        ("(increase (total-cost) «x»)", 'expected a number, found "x"'),
        ("(increase (total-cost) «2.5»)", 'the number "2.5" is not whole; scale all costs to whole numbers'),
        ("(increase (total-cost) «-2»)", 'the number "-2" is negative; costs must not be'),
        ("(increase (total-cost) «2147483648»)", 'the number "2147483648" is too large; the largest is 2147483647'),
        ("(increase (total-cost) («lenght» ?from ?to))", 'unknown function "lenght"; did you mean "length"?'),
        (
            "(increase (total-cost) («length» ?from))",
            '"length" takes 2 arguments, found 1; it is declared as (length ?a - place ?b - place)',
        ),
        ("(increase (total-cost) («(»length)))", "expected the name of a function"),
    ],
)
def test_effects(effect: str, message: str) -> None:
    in_effect(effect, message)


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        ("(«assign» (length ?from ?to) 3)", 'numeric effects ("assign") are not supported'),
        ("(«decrease» (total-cost) 3)", 'numeric effects ("decrease") are not supported'),
        ("(«scale-up» (total-cost) 3)", 'numeric effects ("scale-up") are not supported'),
        ("(«oneof» (done) ())", 'non-deterministic effects ("oneof") are not supported'),
        (
            "(increase «(»length ?from ?to) 3)",
            'numeric effects are not supported; only "(total-cost)" can be increased',
        ),
        (
            "(when (done) («increase» (total-cost) 3))",
            'conditional costs ("increase" inside "when" or "forall") are not supported',
        ),
        (
            "(forall (?x) (and («increase» (total-cost) 3)))",
            'conditional costs ("increase" inside "when" or "forall") are not supported',
        ),
        ("(increase (total-cost) («+» 1 2))", 'arithmetic ("+") in action costs is not supported'),
        ("(increase (total-cost) («total-cost»))", "costs that depend on the total cost are not supported"),
    ],
)
def test_unsupported_effects(effect: str, message: str) -> None:
    in_effect(effect, message, UnsupportedError)


# ---- problems


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        ("(«fre» t)", 'unknown predicate "fre"; did you mean "free"?'),
        ("(free «tt»)", 'unknown object "tt"; did you mean "t"?'),
        ("(free «?t»)", 'unknown variable "?t"; did you mean "t"?'),
        ("(free f) (free t) («free»)", '"free" takes 1 argument, found 0; it is declared as (free ?v - vehicle)'),
        ("(free t «t»)", '"free" takes 1 argument, found 2; it is declared as (free ?v - vehicle)'),
        ("(free f) (free «a»)", '"a" is of type place, but argument 1 of (free ?v - vehicle) must be of type vehicle'),
        ("(not (free «a»))", '"a" is of type place, but argument 1 of (free ?v - vehicle) must be of type vehicle'),
        ("(free «(»t))", 'expected a variable or an object, found "(t …)"'),
        ("«free»", 'expected an atom in parentheses, found "free"'),
        ("(«and» (free t) (free f))", 'the initial state is a list of atoms, without "and"'),
        ("(«not» (not (free t)))", 'the initial state is a list of atoms, without "not"'),
        ("(«)»", "expected a predicate"),
        ("(«(»free t))", 'expected a predicate, found "(free …)"'),
        ("(«linked» a b)", 'the derived predicate "linked" cannot be set in the initial state'),
        ("(«=» (length a b))", '"=" takes a function and a number, found 1'),
        ("(= «a» b)", 'expected a function in parentheses, found "a"'),
        ("(= («lengt» a b) 3)", 'unknown function "lengt"; did you mean "length"?'),
        (
            "(= (length a «t») 3)",
            '"t" is of type truck, but argument 2 of (length ?a - place ?b - place) must be of type place',
        ),
        ("(= (length a b) «3.5»)", 'the number "3.5" is not whole; scale all costs to whole numbers'),
        ("(= (length a b) «-1.0»)", 'the number "-1.0" is negative; costs must not be'),
        ("(= (length a b) «x»)", 'expected a number, found "x"'),
        ("(= (length b b) 4) (= (length b b) «3»)", "a second value for the same function; the first one is 4"),
    ],
)
def test_init(fact: str, message: str) -> None:
    in_init(fact, message)


def test_timed_initial_literals() -> None:
    in_init("(«at» 5 (free t))", 'timed initial literals ("at") are not supported', UnsupportedError)


def test_objects() -> None:
    old = "(:objects t - truck"
    in_problem(old, f"{old} «hub» - truck", '"hub" is a constant of the domain already, of type place')
    in_problem("a b - place)", "a b - place «t» - place)", 'object "t" is declared twice')
    in_problem(old, "(:objects «(»x) t - truck", 'expected an object, found "(x …)"')
    in_problem("a b - place)", "a b - «truc»)", 'unknown type "truc"; did you mean "truck"?')


def test_goal_and_metric() -> None:
    in_problem("(:goal (at t b))", "(«:goal»)", "the goal is missing; write (:goal (and)) for none")
    message = "the goal is a single condition; join several by (and …)"
    in_problem("(:goal (at t b))", "(:goal (at t b) «(»at t a))", message)
    in_problem("(:goal (at t b))", "(:goal (at t «c»))", 'unknown object "c"')
    old = "minimize (total-cost)"
    in_problem(f"(:metric {old})", "(«:metric» minimize)", 'expected "(:metric minimize (total-cost))"')
    only = "is not supported; only minimize (total-cost)"
    in_problem(old, "«maximize» (total-cost)", f'the metric "maximize" {only}', UnsupportedError)
    in_problem(old, "minimize «(»total-time)", f'the metric "(total-time …)" {only}', UnsupportedError)
    in_problem(old, "minimize «(»+ (total-cost) 1)", f'the metric "(+ …)" {only}', UnsupportedError)


# ---- how the text is shown


def test_repeated_atoms_do_not_confuse_the_place() -> None:
    in_condition(
        "(and (free ?v) (or (free ?v) ()) (and (free ?v) (not (free ?v) «(»free ?v))))",
        '"not" takes one condition, found 2',
    )


def test_tabs_stay_in_the_caret_line() -> None:
    error = failure("(define\t(domain d)\n\t\t (:init\tx))", PROBLEM)
    assert (error.line, error.column) == (2, 5)
    assert error.excerpt == "\t\t (:init\tx))\n\t\t  ^^^^^"


def test_carriage_returns_are_not_shown() -> None:
    error = failure("(define (domain d)\r\n ; (x)\r\n (:ini))\r\n", PROBLEM)
    assert (error.line, error.column, error.excerpt) == (3, 3, " (:ini))\n  ^^^^")


def test_original_case_is_shown() -> None:
    assert failure("(Define (Domain D) (:Init))", PROBLEM).excerpt.startswith("(Define (Domain D) (:Init))\n")


def test_control_characters_are_not_shown() -> None:
    assert "\x1b" not in str(failure("(define (domain d) \x1b[31m)", PROBLEM).excerpt)


def test_long_lines_are_cut() -> None:
    filler = "(p) " * 1_000
    error = failure(
        f"(define (domain d) (:predicates (p)) (:action a :precondition (and {filler}(q) {filler})))", PROBLEM
    )
    line, carets = error.excerpt.split("\n")
    assert len(line) == 122
    assert line[0] == line[-1] == "…"
    assert line[carets.index("^")] == "q"


def test_long_words_are_cut() -> None:
    error = failure(f"(define (domain d) (:predicates (p)) (:action a :precondition ({'q' * 100_000})))", PROBLEM)
    assert len(str(error)) < 500


def test_errors_are_input_errors() -> None:
    assert issubclass(UnsupportedError, PddlError)
    assert issubclass(PddlError, InputError)
    assert InputError("x: y").message == "x: y"
