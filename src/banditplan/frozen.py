"""Immutable slotted classes: frozen dataclasses for the type checker, cheap to define at start-up.

`import dataclasses` and the definition of our two dozen node classes take 28 ms, three times as long
as starting Python itself; this decorator takes 1 ms for the same. A frozen class has `__slots__`, `__init__`,
`__eq__`, `__hash__`, `__repr__` and `__match_args__`; it can be copied and pickled; assignments raise AttributeError.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn, TypeVar

    from typing_extensions import dataclass_transform

    T = TypeVar("T")

    @dataclass_transform(frozen_default=True, eq_default=True)
    def frozen(cls: type[T]) -> type[T]: ...

else:

    def frozen(cls):
        """Return `cls` anew as a slotted class whose fields are its annotations, in order."""
        body = dict(cls.__dict__)
        names = tuple(body.get("__annotations__") or cls.__annotations__)
        defaults = tuple([body.pop(name) for name in names if name in body])
        setters = {}
        body.pop("__dict__", None)
        body.pop("__weakref__", None)
        body.setdefault("__repr__", _repr)
        body.update(
            __slots__=names,
            __match_args__=names,
            __init__=_initializer(names, defaults, setters),
            __eq__=_equal,
            __hash__=_hash,
            __reduce__=_reduce,
            __setattr__=_refuse,
            __delattr__=_refuse,
        )
        made = type(cls)(cls.__name__, cls.__bases__, body)
        setters.update([(f"set{number}", made.__dict__[name].__set__) for number, name in enumerate(names)])
        return made

    def _initializer(names, defaults, setters):
        """`__init__` with these parameters. Compiling takes long, so all with as many parameters share their code."""
        code = _codes.get(len(names))
        if code is None:
            numbers = range(len(names))
            head = "".join([f", x{number}" for number in numbers])
            lines = "".join([f"    set{number}(self, x{number})\n" for number in numbers]) or "    pass\n"
            scope = {}
            exec(f"def __init__(self{head}):\n{lines}", scope)
            code = _codes[len(names)] = scope["__init__"].__code__
        return type(_initializer)(code.replace(co_varnames=("self", *names)), setters, "__init__", defaults)

    _codes = {}


def fields(cls: type) -> tuple[str, ...]:
    """The names of the fields of a frozen class, in order."""
    names: tuple[str, ...] = cls.__match_args__  # type: ignore[attr-defined]
    return names


def values(item: Any) -> tuple[Any, ...]:
    """The values of the fields of a frozen object, in order."""
    return tuple(getattr(item, name) for name in item.__match_args__)


def _equal(self: Any, other: object) -> bool:
    return type(self) is type(other) and values(self) == values(other)


def _hash(self: Any) -> int:
    return hash((type(self).__name__, *values(self)))


def _repr(self: Any) -> str:
    inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
    return f"{type(self).__name__}({inside})"


def _reduce(self: Any) -> tuple[type, tuple[Any, ...]]:
    return type(self), values(self)


def _refuse(self: Any, name: str, value: object = None) -> NoReturn:
    raise AttributeError(f"{type(self).__name__} is immutable: {name} cannot be changed")
