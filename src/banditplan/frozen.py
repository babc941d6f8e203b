"""Immutable slotted records: dataclasses for the type checker, cheap to define at start-up.

`import dataclasses` and the definition of our two dozen node classes take 28 ms, three times as long
as starting Python itself; this decorator takes 1 ms for the same. Type checkers see a frozen dataclass
and reject assignments; at run time a record has `__slots__`, `__init__`, `__eq__`, `__hash__`,
`__repr__` and `__match_args__`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from typing_extensions import dataclass_transform

    T = TypeVar("T")

    @dataclass_transform(frozen_default=True, eq_default=True)
    def frozen(cls: type[T]) -> type[T]: ...

else:

    def frozen(cls):
        """Return `cls` anew as a slotted class whose fields are its annotations, in order."""
        body = dict(cls.__dict__)
        fields = tuple(body.get("__annotations__") or cls.__annotations__)
        defaults = {name: body.pop(name) for name in fields if name in body}
        body.pop("__dict__", None)
        body.pop("__weakref__", None)
        parameters = ", ".join(f"{name}=defaults[{name!r}]" if name in defaults else name for name in fields)
        assignments = "".join(f"    self.{name} = {name}\n" for name in fields) or "    pass\n"
        scope = {"defaults": defaults}
        exec(f"def __init__(self{', ' if fields else ''}{parameters}):\n{assignments}", scope)
        body.update(
            __slots__=fields,
            __match_args__=fields,
            __init__=scope["__init__"],
            __eq__=_equal,
            __hash__=_hash,
        )
        body.setdefault("__repr__", _repr)
        return type(cls)(cls.__name__, cls.__bases__, body)


def fields(value: Any) -> tuple[Any, ...]:
    """The field values of a record, in order."""
    return tuple(getattr(value, name) for name in value.__match_args__)


def _equal(self: Any, other: object) -> bool:
    return type(self) is type(other) and fields(self) == fields(other)


def _hash(self: Any) -> int:
    return hash((type(self).__name__, *fields(self)))


def _repr(self: Any) -> str:
    inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
    return f"{type(self).__name__}({inside})"
