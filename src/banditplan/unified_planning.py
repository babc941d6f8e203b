"""The engine for Unified Planning: a problem becomes a syntax tree in memory and takes the ordinary way to a plan.

from unified_planning.shortcuts import *
get_environment().factory.add_engine("banditplan", "banditplan.unified_planning", "Engine")
"""

from __future__ import annotations

import warnings
from fractions import Fraction
from itertools import islice, product
from math import lcm
from typing import IO, TYPE_CHECKING, Any

from banditplan.extras import MissingExtra

try:
    import unified_planning as up
except ImportError:
    raise MissingExtra("the Unified Planning engine", "unified-planning", "banditplan[up]") from None
from unified_planning.engines import Credits, LogLevel, LogMessage, PlanGenerationResult
from unified_planning.engines import Engine as UpEngine
from unified_planning.engines.mixins.anytime_planner import AnytimeGuarantee, AnytimePlannerMixin
from unified_planning.engines.mixins.oneshot_planner import OneshotPlannerMixin
from unified_planning.engines.mixins.sequential_simulator import SequentialSimulatorMixin
from unified_planning.engines.results import PlanGenerationResultStatus as Outcome
from unified_planning.exceptions import UPProblemDefinitionError, UPUsageError
from unified_planning.model import FNode, Object, Problem, ProblemKind
from unified_planning.model.problem_kind_versioning import LATEST_PROBLEM_KIND_VERSION
from unified_planning.plans import ActionInstance, SequentialPlan

from banditplan import _core
from banditplan.pddl import syntax
from banditplan.pddl.errors import InputError, Place, Source
from banditplan.pipeline import InvalidPlan, Run
from banditplan.spec import parse_list
from banditplan.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from banditplan.plan import Step
    from banditplan.result import Result

    Heuristic: TypeAlias = Callable[[up.model.State], float | None]
    Scope: TypeAlias = dict[up.model.Parameter | up.model.Variable, str]

NAME = "banditplan"

KIND = ProblemKind(
    {
        "ACTION_BASED",
        "FLAT_TYPING",
        "HIERARCHICAL_TYPING",
        "NEGATIVE_CONDITIONS",
        "DISJUNCTIVE_CONDITIONS",
        "EQUALITIES",
        "EXISTENTIAL_CONDITIONS",
        "UNIVERSAL_CONDITIONS",
        "CONDITIONAL_EFFECTS",
        "FORALL_EFFECTS",
        "STATIC_FLUENTS_IN_BOOLEAN_ASSIGNMENTS",
        "FLUENTS_IN_BOOLEAN_ASSIGNMENTS",
        "ACTIONS_COST",
        "STATIC_FLUENTS_IN_ACTIONS_COST",
        "INT_NUMBERS_IN_ACTIONS_COST",
        "REAL_NUMBERS_IN_ACTIONS_COST",
        "PLAN_LENGTH",
        # Numbers can only be part of action costs; their bounds, and values that no action needs, do not matter.
        "BOUNDED_TYPES",
        "UNDEFINED_INITIAL_NUMERIC",
    },
    version=LATEST_PROBLEM_KIND_VERSION,
)

OUTCOMES = {
    "solved": Outcome.SOLVED_SATISFICING,
    "unsolvable": Outcome.UNSOLVABLE_PROVEN,
    "exhausted": Outcome.UNSOLVABLE_INCOMPLETELY,
    "time-limit": Outcome.TIMEOUT,
    "memory-limit": Outcome.MEMOUT,
}


class Unsupported(Exception):
    """Something in a problem that its kind did not tell, or that was given although the kind is not supported."""


class Names:
    """Different texts that PDDL would accept for different items, such as objects."""

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        self._taken = set(reserved)

    def new(self, name: str) -> str:
        """The name itself, if it is lower-case PDDL that nobody has; else something that resembles it."""
        kept = [char if (char.isalnum() and char.isascii()) or char in "-_" else "_" for char in name.lower()]
        text = base = "".join(kept) if kept and kept[0].isalpha() else "x" + "".join(kept)
        number = 2
        while text in self._taken:
            text = f"{base}-{number}"
            number += 1
        self._taken.add(text)
        return text


class Costs:
    """The costs of actions as sums of numbers and functions of the initial state; real numbers are scaled to integers.

    A fluent becomes a function; whatever is not a sum of numbers and fluents is tabulated as one.
    """

    def __init__(self, translation: Translation, check: Callable[[], None]) -> None:
        self._translation = translation
        self._check = check
        self._names = Names(["total-cost"])
        self._functions: dict[Any, syntax.Signature] = {}
        self._values: list[tuple[syntax.FunctionTerm, Fraction]] = []
        self._numbers: list[Fraction] = []
        self._scale = 1

    def terms(self, cost: FNode, scope: Scope) -> list[Fraction | syntax.FunctionTerm]:
        """The parts of the sum."""
        if cost.is_plus():
            return [term for part in cost.args for term in self.terms(part, scope)]
        if cost.is_int_constant() or cost.is_real_constant():
            number = _cost(Fraction(cost.constant_value()))
            self._numbers.append(number)
            return [number]
        if cost.is_fluent_exp():
            return [self._fluent(cost, scope)]
        return [self._table(cost, scope)]

    def scaled(self, terms: Iterable[Fraction | syntax.FunctionTerm]) -> tuple[syntax.Cost, ...]:
        return tuple(int(term * self._scale) if isinstance(term, Fraction) else term for term in terms)

    def finish(self) -> None:
        """To be called once all terms are known."""
        self._scale = lcm(*(number.denominator for number in (*self._numbers, *(v for _, v in self._values))))

    @property
    def signatures(self) -> tuple[syntax.Signature, ...]:
        return tuple(self._functions.values())

    @property
    def values(self) -> tuple[tuple[syntax.FunctionTerm, int], ...]:
        return tuple((term, int(value * self._scale)) for term, value in self._values)

    def _fluent(self, cost: FNode, scope: Scope) -> syntax.FunctionTerm:
        fluent = cost.fluent()
        signature = self._functions.get(fluent)
        if signature is None:
            signature = self._declare(fluent, fluent.name, fluent.signature)
            for atom, value in self._translation.initial_values(fluent):
                self._enter(signature, [argument.object() for argument in atom.args], value.constant_value())
        return syntax.FunctionTerm(signature.name, self._translation.terms(cost.args, scope))

    def _table(self, cost: FNode, scope: Scope) -> syntax.FunctionTerm:
        parameters = [each for each in scope if each in _parameters(cost)]
        signature = self._declare(cost, "cost", parameters)
        for number, objects in enumerate(product(*(self._translation.problem.objects(p.type) for p in parameters))):
            value = self._evaluated(cost, dict(zip(parameters, objects, strict=True)))
            if value is not None:
                self._enter(signature, objects, value)
            if number % 1024 == 0:
                self._check()
        return syntax.FunctionTerm(signature.name, tuple(scope[each] for each in parameters))

    def _declare(self, key: Any, name: str, parameters: Sequence[Any]) -> syntax.Signature:
        typed = self._translation.typed((each, f"?x{i}") for i, each in enumerate(parameters))
        signature = self._functions[key] = syntax.Signature(self._names.new(name), typed)
        return signature

    def _enter(self, signature: syntax.Signature, objects: Sequence[Object], value: int | Fraction) -> None:
        arguments = tuple(self._translation.objects[each] for each in objects)
        self._values.append((syntax.FunctionTerm(signature.name, arguments), _cost(Fraction(value))))

    def _evaluated(self, cost: FNode, binding: dict[Any, Object]) -> Fraction | None:
        """The value in the initial state, if it has one."""
        if cost.is_int_constant() or cost.is_real_constant():
            return Fraction(cost.constant_value())
        if cost.is_fluent_exp():
            arguments = [binding[a.parameter()] if a.is_parameter_exp() else a.object() for a in cost.args]
            value = self._translation.initial_value(cost.fluent()(*arguments))
            return None if value is None else Fraction(value.constant_value())
        parts = [self._evaluated(part, binding) for part in cost.args]
        if any(part is None for part in parts):
            return None
        result, *rest = (Fraction(part) for part in parts if part is not None)
        for part in rest:
            if cost.is_plus():
                result += part
            elif cost.is_minus():
                result -= part
            elif cost.is_times():
                result *= part
            elif cost.is_div():
                result /= part
            else:
                raise Unsupported(f"the action cost {cost}")
        return result


def _cost(number: Fraction) -> Fraction:
    if number < 0:
        raise Unsupported(f"the negative action cost {number}")
    return number


def _parameters(expression: FNode) -> set[Any]:
    if expression.is_parameter_exp():
        return {expression.parameter()}
    return {each for part in expression.args for each in _parameters(part)}


class Translation:
    """A problem as a syntax tree, and the way back for actions and objects."""

    def __init__(self, problem: up.model.AbstractProblem, check: Callable[[], None] = lambda: None) -> None:
        """`check` is called now and then, and raises where a limit is reached."""
        if not isinstance(problem, Problem):
            raise Unsupported(f"problems of the class {type(problem).__name__}")
        self.problem = problem
        self._check = check
        self._place = Place(Source(problem.name or NAME, ""), 0)
        objects, predicates, actions = Names(), Names(), Names()
        self._type_names = Names(["object"])
        self._types: dict[Any, str] = {None: "object"}
        self.objects = {each: objects.new(each.name) for each in problem.all_objects}
        self._predicates = {each: predicates.new(each.name) for each in problem.fluents if each.type.is_bool_type()}
        self.actions = {each: actions.new(each.name) for each in problem.actions}
        self._action_of = {text: each for each, text in self.actions.items()}
        self._object_of = {text: each for each, text in self.objects.items()}
        self._explicit: dict[up.model.Fluent, dict[FNode, FNode]] = {}  # initial values, by fluent
        for atom, value in problem.explicit_initial_values.items():
            self._explicit.setdefault(atom.fluent(), {})[atom] = value

    # ---- there

    def parsed(self) -> syntax.Parsed:
        costs = Costs(self, self._check)
        metric = next((m for m in self.problem.quality_metrics if m.is_minimize_action_costs()), None)
        actions = [self._action(action, metric, costs) for action in self.problem.actions]
        costs.finish()
        predicates = tuple(
            syntax.Signature(text, self.typed((each, f"?x{i}") for i, each in enumerate(fluent.signature)))
            for fluent, text in self._predicates.items()
        )
        objects = tuple(syntax.Typed(text, (self._type(each.type),)) for each, text in self.objects.items())
        goal = syntax.And(tuple(self.formula(each, {}) for each in self.problem.goals))
        domain = syntax.Domain(
            name=self._place.source.name,
            types=tuple(syntax.Type(text, (self._types[each.father],)) for each, text in self._types.items() if each),
            constants=(),
            predicates=predicates,
            functions=costs.signatures,
            derived=(),
            actions=tuple(
                syntax.Action(name, parameters, condition, effect, costs.scaled(terms), self._place)
                for name, parameters, condition, effect, terms in actions
            ),
        )
        problem = syntax.Problem(
            name=self._place.source.name,
            objects=objects,
            init=tuple(self._init()),
            values=costs.values,
            goal=goal,
            minimize_cost=metric is not None,
        )
        return syntax.Parsed(domain, problem, ())

    def _init(self) -> Iterator[syntax.Atom]:
        for fluent, text in self._predicates.items():
            for atom, value in self.initial_values(fluent):
                if value.is_true():
                    yield syntax.Atom(text, self.terms(atom.args, {}))

    def initial_values(self, fluent: up.model.Fluent) -> Iterator[tuple[FNode, FNode]]:
        """The ground expressions of the fluent with their values; not those that are false by default."""
        default = self.problem.fluents_defaults.get(fluent)
        explicit = self._explicit.get(fluent, {})
        if default is None or default.is_false():
            yield from explicit.items()
            return
        for number, objects in enumerate(product(*(self.problem.objects(p.type) for p in fluent.signature))):
            atom = fluent(*objects)
            yield atom, explicit.get(atom, default)
            if number % 1024 == 0:
                self._check()

    def initial_value(self, atom: FNode) -> FNode | None:
        value: FNode | None = self._explicit.get(atom.fluent(), {}).get(atom)
        return self.problem.fluents_defaults.get(atom.fluent()) if value is None else value

    def _action(self, action: up.model.Action, metric: Any, costs: Costs) -> tuple[Any, ...]:
        self._check()
        if type(action) is not up.model.InstantaneousAction or action.simulated_effect is not None:
            raise Unsupported(f"the {type(action).__name__} {action.name}")
        names = Names()
        scope: Scope = {each: "?" + names.new(each.name) for each in action.parameters}
        condition = syntax.And(tuple(self.formula(each, scope) for each in action.preconditions))
        effect = syntax.Together(tuple(self._effect(each, scope) for each in action.effects))
        cost = metric.get_action_cost(action) if metric is not None else None
        terms = [] if cost is None else costs.terms(cost.simplify(), scope)
        return self.actions[action], self.typed(scope.items()), condition, effect, terms

    def _effect(self, effect: up.model.Effect, outer: Scope) -> syntax.Effect:
        if not effect.is_assignment() or not effect.fluent.type.is_bool_type():
            raise Unsupported(f"the effect {effect}")
        scope = self._extended(outer, effect.forall)
        atom = self._atom(effect.fluent, scope)
        result: syntax.Effect
        if effect.value.is_true():
            result = syntax.Add(atom)
        elif effect.value.is_false():
            result = syntax.Delete(atom)
        else:
            value = self.formula(effect.value, scope)
            result = syntax.Together(
                (syntax.When(value, syntax.Add(atom)), syntax.When(syntax.Not(value), syntax.Delete(atom)))
            )
        if not effect.condition.is_true():
            result = syntax.When(self.formula(effect.condition, scope), result)
        return syntax.ForEach(self._bound(effect.forall, scope), result) if effect.forall else result

    def formula(self, node: FNode, scope: Scope) -> syntax.Formula:
        if node.is_fluent_exp() and node.fluent() in self._predicates:
            return self._atom(node, scope)
        if node.is_bool_constant():
            return syntax.TRUE if node.is_true() else syntax.FALSE
        if node.is_exists() or node.is_forall():
            inner = self._extended(scope, node.variables())
            quantifier = syntax.Exists if node.is_exists() else syntax.Forall
            return quantifier(self._bound(node.variables(), inner), self.formula(node.arg(0), inner))
        if node.is_equals() and node.arg(0).type.is_user_type():
            return syntax.Equal(*self.terms(node.args, scope))
        if not (node.is_and() or node.is_or() or node.is_not() or node.is_implies() or node.is_iff()):
            raise Unsupported(f"the condition {node}")
        parts = tuple(self.formula(part, scope) for part in node.args)
        if node.is_and():
            return syntax.And(parts)
        if node.is_or():
            return syntax.Or(parts)
        if node.is_not():
            return syntax.Not(parts[0])
        if node.is_implies():
            return syntax.Imply(*parts)
        return syntax.And((syntax.Imply(*parts), syntax.Imply(*reversed(parts))))

    def _atom(self, node: FNode, scope: Scope) -> syntax.Atom:
        return syntax.Atom(self._predicates[node.fluent()], self.terms(node.args, scope))

    def terms(self, nodes: Iterable[FNode], scope: Scope) -> tuple[str, ...]:
        return tuple([self._term(node, scope) for node in nodes])

    def _term(self, node: FNode, scope: Scope) -> str:
        if node.is_object_exp():
            return self.objects[node.object()]
        if node.is_parameter_exp():
            return scope[node.parameter()]
        if node.is_variable_exp():
            return scope[node.variable()]
        raise Unsupported(f"the argument {node}")

    def _extended(self, outer: Scope, variables: Iterable[up.model.Variable]) -> Scope:
        """The scope with further variables, which may have the names of outer ones."""
        names = Names(text[1:] for text in outer.values())
        return outer | {each: "?" + names.new(each.name) for each in variables}

    def _bound(self, variables: Iterable[up.model.Variable], scope: Scope) -> tuple[syntax.Typed, ...]:
        return self.typed((each, scope[each]) for each in variables)

    def typed(self, items: Iterable[tuple[Any, str]]) -> tuple[syntax.Typed, ...]:
        return tuple(syntax.Typed(text, (self._type(item.type),)) for item, text in items)

    def _type(self, type_: Any) -> str:
        """The name of a user type; those that only variables have are not among the problem's."""
        if type_ not in self._types:
            if not type_.is_user_type():
                raise Unsupported(f"parameters of the type {type_}")
            self._type(type_.father)
            self._types[type_] = self._type_names.new(type_.name)
        return self._types[type_]

    # ---- and back

    def instance(self, step: Step | _core.GroundAction) -> tuple[up.model.Action, tuple[FNode, ...]]:
        """The action and its arguments."""
        expression = self.problem.environment.expression_manager.ObjectExp
        return self._action_of[step.name], tuple(expression(self._object_of[each]) for each in step.arguments)

    def plan(self, steps: Iterable[Step]) -> SequentialPlan:
        return SequentialPlan([ActionInstance(*self.instance(step)) for step in steps], self.problem.environment)

    def fact(self, atom: FNode) -> str | None:
        """The text of a ground atom in a task; None if it is a number."""
        predicate = self._predicates.get(atom.fluent())
        return None if predicate is None else f"({' '.join((predicate, *self.terms(atom.args, {})))})"


class View:
    """How to read the value of a fluent from a state of a task that was grounded with everything that changes."""

    def __init__(self, translation: Translation, task: _core.Task) -> None:
        self._translation = translation
        manager = translation.problem.environment.expression_manager
        self._constants = (manager.FALSE(), manager.TRUE())
        self._known: dict[FNode, tuple[int, int] | FNode] = {}
        self._places: dict[str, tuple[int, int]] = {}
        facts = iter(task.facts)
        for variable, size in enumerate(task.domain_sizes):
            self._places.update((fact, (variable, value)) for value, fact in enumerate(islice(facts, size)))

    def value(self, atom: FNode, values: list[int]) -> FNode:
        known = self._known.get(atom)
        if known is None:
            place = self._places.get(self._translation.fact(atom) or "")
            known = self._known[atom] = self._constant(atom) if place is None else place
        return self._constants[values[known[0]] == known[1]] if isinstance(known, tuple) else known

    def _constant(self, atom: FNode) -> FNode:
        value = self._translation.initial_value(atom)
        if value is None:
            raise UPUsageError(f"the initial state gives no value to {atom}")
        return value


class State(up.model.State):
    """A state of the planner as Unified Planning sees it; hashable, comparable."""

    def __init__(self, view: View, ground: _core.State) -> None:
        self.ground = ground
        self._view = view
        self._values = ground.values

    def get_value(self, value: FNode) -> FNode:
        return self._view.value(value, self._values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.ground == other.ground

    def __hash__(self) -> int:
        return hash(self.ground)

    def __repr__(self) -> str:
        return repr(self.ground)


class Engine(UpEngine, OneshotPlannerMixin, AnytimePlannerMixin, SequentialSimulatorMixin):
    """banditplan for Unified Planning: a planner and, if it is made with a problem, a simulator."""

    def __init__(
        self,
        problem: up.model.AbstractProblem | None = None,
        error_on_failed_checks: bool = True,
        search: _core.Search | str | None = None,
        heuristic: _core.Heuristic | str | None = None,
        seed: int = 0,
        memory_limit: int | str | None = None,
    ) -> None:
        """`search` and `heuristic` are components or their texts; `heuristic` replaces the one of the search."""
        UpEngine.__init__(self)
        OneshotPlannerMixin.__init__(self)
        self._options: dict[str, Any] = {"search": search, "seed": seed, "memory_limit": memory_limit}
        try:
            self._options["search"] = Run(**self._options).search
            if heuristic is not None:
                self._options["search"] = self._options["search"].with_options(heuristic=_heuristic(heuristic))
        except (InputError, TypeError) as error:
            raise UPUsageError(str(error)) from None
        if problem is not None:
            SequentialSimulatorMixin.__init__(self, problem, error_on_failed_checks)
            self._prepare(problem)

    @property
    def name(self) -> str:
        return NAME

    @staticmethod
    def supported_kind() -> ProblemKind:
        return KIND.clone()

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        return bool(problem_kind <= KIND)

    @staticmethod
    def get_credits(**_: Any) -> Credits:
        about = "An agile planner that searches with bandits."
        return Credits(f"{NAME} {VERSION}", "the banditplan developers", "", "", "Apache-2.0", about, about)

    # ---- planner

    def _solve_with_params(
        self,
        problem: up.model.AbstractProblem,
        heuristic: Heuristic | None = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
        warm_start_plan: up.plans.Plan | None = None,
        **others: Any,
    ) -> PlanGenerationResult:
        _refuse(warm_start_plan, others)
        return self._solve(problem, heuristic, timeout, output_stream)

    def _solve(
        self,
        problem: up.model.AbstractProblem,
        heuristic: Heuristic | None = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
    ) -> PlanGenerationResult:
        def results(run: Run, translation: Translation) -> Iterator[Result]:
            if heuristic is not None:
                run.search = _guided(run.search, heuristic, lambda: View(translation, _grounded(run)))
            yield run.built(translation.parsed, problem.name or NAME)

        return next(self._outcomes(problem, timeout, output_stream, results, keep_irrelevant=heuristic is not None))

    @staticmethod
    def ensures(anytime_guarantee: AnytimeGuarantee) -> bool:
        return anytime_guarantee == AnytimeGuarantee.INCREASING_QUALITY

    def _get_solutions_with_params(
        self,
        problem: up.model.AbstractProblem,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
        warm_start_plan: up.plans.Plan | None = None,
        **others: Any,
    ) -> Iterator[PlanGenerationResult]:
        _refuse(warm_start_plan, others)
        return self._get_solutions(problem, timeout, output_stream)

    def _get_solutions(
        self, problem: up.model.AbstractProblem, timeout: float | None = None, output_stream: IO[str] | None = None
    ) -> Iterator[PlanGenerationResult]:
        """Cheaper and cheaper plans as intermediate results; the last result has the best plan again."""
        if not isinstance(self._options["search"], _core.Guct):
            raise UPUsageError(f"only a tree search such as guct-normal2 is anytime, not {self._options['search']!r}")

        def results(run: Run, translation: Translation) -> Iterator[Result]:
            return run.plans(lambda: run.load_built(translation.parsed, problem.name or NAME))

        return self._outcomes(problem, timeout, output_stream, results, anytime=True)

    def _outcomes(
        self,
        problem: up.model.AbstractProblem,
        timeout: float | None,
        output_stream: IO[str] | None,
        results: Callable[[Run, Translation], Iterator[Result]],
        *,
        anytime: bool = False,
        keep_irrelevant: bool = False,
    ) -> Iterator[PlanGenerationResult]:
        if timeout is not None and timeout <= 0:
            yield PlanGenerationResult(Outcome.TIMEOUT, None, NAME, {}, [])
            return
        run = self._run(
            timeout,
            output_stream,
            shorten=anytime,
            keep_irrelevant=keep_irrelevant,
            split="never" if keep_irrelevant else "auto",
        )
        try:
            translation = Translation(problem, run.limits.check)
            for result in results(run, translation):
                if result.end == "interrupted":
                    raise KeyboardInterrupt
                if output_stream is not None:
                    output_stream.write(f"{result.status}: {result.explanation}\n")
                yield _generated(result, translation, intermediate=anytime and result.end == "solved")
        except Unsupported as feature:
            yield _failed(Outcome.UNSUPPORTED_PROBLEM, f"{NAME} does not support {feature}")
        except InvalidPlan as error:
            yield _failed(Outcome.INTERNAL_ERROR, str(error))
        except InputError as error:
            raise UPProblemDefinitionError(error.message) from None

    def _run(self, timeout: float | None, output_stream: IO[str] | None, **options: Any) -> Run:
        def report(evaluations: int, expansions: int, best_h: int | None) -> None:
            if output_stream is not None:
                output_stream.write(f"{evaluations:,} evaluations, {expansions:,} expansions, best h {best_h}\n")

        def stage(name: str) -> None:
            if output_stream is not None:
                output_stream.write(f"{name}\n")

        return Run(**self._options, **options, time_limit=timeout, report=report, stage=stage)

    # ---- simulator

    def _prepare(self, problem: up.model.AbstractProblem) -> None:
        run = Run(memory_limit=self._options["memory_limit"], split="never", keep_irrelevant=True)
        try:
            self._translation = Translation(problem)
            self._task = run.load_built(self._translation.parsed, problem.name or NAME)
        except Unsupported as feature:
            raise UPUsageError(f"{NAME} does not support {feature}") from None
        except InputError as error:
            raise UPProblemDefinitionError(error.message) from None
        self._view = View(self._translation, self._task)
        self._ground: dict[tuple[str, tuple[str, ...]], list[_core.GroundAction]] = {}
        for action in self._task.actions:
            self._ground.setdefault((action.name, action.arguments), []).append(action)

    def _get_initial_state(self) -> State:
        return State(self._view, self._task.initial_state)

    def _is_applicable(self, state: up.model.State, action: up.model.Action, parameters: tuple[FNode, ...]) -> bool:
        return self._apply(state, action, parameters) is not None

    def _apply(self, state: up.model.State, action: up.model.Action, parameters: tuple[FNode, ...]) -> State | None:
        name = self._translation.actions.get(action)
        if name is None:
            raise UPUsageError(f"the action {action.name} does not belong to the problem")
        # A disjunctive precondition makes several ground actions of the same name, with the same effects.
        for ground in self._ground.get((name, self._translation.terms(parameters, {})), ()):
            try:
                return State(self._view, self._task.apply(_ours(state).ground, ground))
            except ValueError:
                continue
        return None

    def _get_applicable_actions(self, state: up.model.State) -> Iterator[tuple[up.model.Action, tuple[FNode, ...]]]:
        named = {(each.name, each.arguments): each for each in self._task.applicable(_ours(state).ground)}
        return map(self._translation.instance, named.values())

    def _is_goal(self, state: up.model.State) -> bool:
        return self._task.is_goal(_ours(state).ground)


def _heuristic(given: _core.Heuristic | str) -> _core.Heuristic:
    if not isinstance(given, str):
        return given
    found = parse_list(given, _core.Heuristic, "heuristic", "hadd")
    if len(found) != 1:
        raise InputError(f'heuristic "{given}": expected one heuristic, such as hadd')
    return found[0]


def _ours(state: up.model.State) -> State:
    if not isinstance(state, State):
        raise UPUsageError(f"{NAME} simulates its own states, as from get_initial_state, not a {type(state).__name__}")
    return state


def _grounded(run: Run) -> _core.Task:
    assert run.task is not None
    return run.task


def _guided(search: Any, heuristic: Heuristic, view: Callable[[], View]) -> _core.Search:
    """The search with a heuristic on Unified Planning's states; the view is made when the first state comes."""
    views: list[View] = []

    def values(states: _core.States) -> list[float | None]:
        if not views:
            views.append(view())
        return [heuristic(State(views[0], states[index])) for index in range(len(states))]

    guided: _core.Search = search.with_options(heuristic=values)
    return guided


def _refuse(warm_start_plan: up.plans.Plan | None, others: dict[str, Any]) -> None:
    if warm_start_plan is not None:
        warnings.warn(f"{NAME} does not use warm_start_plan", stacklevel=4)
    if others:
        raise UPUsageError(f"{NAME} has no parameter {', '.join(others)} of solve")


def _generated(result: Result, translation: Translation, *, intermediate: bool) -> PlanGenerationResult:
    outcome = OUTCOMES[result.status]
    if intermediate:
        outcome = Outcome.INTERMEDIATE
    elif result.end == "optimal" and len(translation.problem.quality_metrics) < 2:  # it speaks of one of them
        outcome = Outcome.SOLVED_OPTIMALLY
    seconds = result.seconds
    metrics = {
        "engine_internal_time": f"{seconds['total'] - seconds['parse']:.6f}",
        "translation_time": f"{seconds['parse']:.6f}",
        "evaluations": str(result.evaluations),
        "expansions": str(result.expansions),
        "generated": str(result.generated),
        "search": result.search,
        "seed": str(result.seed),
    }
    plan = None if result.plan is None else translation.plan(result.plan)
    message = LogMessage(LogLevel.INFO, f"{result.status}: {result.explanation}")
    return PlanGenerationResult(outcome, plan, NAME, metrics, [message])


def _failed(outcome: Outcome, text: str) -> PlanGenerationResult:
    return PlanGenerationResult(outcome, None, NAME, {}, [LogMessage(LogLevel.ERROR, text)])
