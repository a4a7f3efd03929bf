"""One walk over declared types: what checks, reads or writes a value is made of what does so for its parts.

Fields of rules and events declare what they hold (``int | None``, ``tuple[Rank, ...]``), limits beside the type
(``Annotated[int, between(1, 9)]``). A ``Walker`` makes a function of such a type, from the parts up. The rules check
themselves so; the record, the exports and the notation are read and written so.
"""

import dataclasses
import enum
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, Literal, TypeVar

_T = TypeVar("_T")
Limit = Callable[[Any], bool]


@dataclass(frozen=True)
class Walker(Generic[_T]):
    """What becomes of each kind of type; ``own`` are types that are no combination of others."""

    plain: Callable[[Any], _T]
    choice: Callable[[tuple[Any, ...]], _T]  # of the values of a Literal
    member: Callable[[type[enum.Enum]], _T]
    optional: Callable[[_T], _T]
    many: Callable[[_T, type], _T]  # tuple[X, ...] and frozenset[X]
    row: Callable[[tuple[_T, ...]], _T]  # tuple[X, Y]
    record: Callable[[Any, Mapping[str, _T]], _T] | None = None  # a dataclass, by the names of its fields
    mapping: Callable[[_T, _T], _T] | None = None
    limited: Callable[[_T, tuple[Limit, ...]], _T] = lambda inner, limits: inner
    own: Mapping[Any, _T] = field(default_factory=dict)
    _made: dict[Any, _T] = field(default_factory=dict, init=False)

    def of(self, hint: Any) -> _T:
        """What is made of a type, once."""
        if hint not in self._made:
            self._made[hint] = self.own[hint] if hint in self.own else self._make(hint)
        return self._made[hint]

    def _make(self, hint: Any) -> _T:
        if self.record and dataclasses.is_dataclass(hint):
            return self.record(hint, {name: self.of(part) for name, part in field_types(hint).items()})
        if isinstance(hint, type) and issubclass(hint, enum.Enum):
            return self.member(hint)
        origin, args = typing.get_origin(hint), typing.get_args(hint)
        if origin is Annotated:
            return self.limited(self.of(args[0]), args[1:])
        if origin is Literal:
            return self.choice(args)
        parts = tuple(self.of(part) for part in args if part not in (types.NoneType, Ellipsis))
        if origin in (types.UnionType, typing.Union):
            (present,) = parts
            return self.optional(present)
        if origin is tuple and args[-1] is not Ellipsis:
            return self.row(parts)
        if origin in (tuple, frozenset):
            return self.many(parts[0], origin)
        if origin is Mapping and self.mapping:
            return self.mapping(*parts)
        return self.plain(hint)


def field_types(cls: Any) -> dict[str, Any]:
    """The declared type of every field, limits included."""
    return typing.get_type_hints(cls, include_extras=True)


def between(least: int, most: int) -> Limit:
    """The limit of a number."""
    return lambda number: least <= number <= most


#: Whether a value is one of a type and within its limits; True is no number.
CHECKS: Walker[Limit] = Walker(
    plain=lambda of: lambda value: type(value) is of,
    choice=lambda words: lambda value: isinstance(value, str) and value in words,
    member=lambda of: lambda value: isinstance(value, of),
    optional=lambda check: lambda value: value is None or check(value),
    many=lambda check, of: lambda value: isinstance(value, of) and all(map(check, typing.cast(Any, value))),
    row=lambda checks: (
        lambda value: (
            isinstance(value, tuple)
            and len(value) == len(checks)
            and all(check(part) for check, part in zip(checks, value, strict=True))
        )
    ),
    record=lambda of, checks: (
        lambda value: type(value) is of and all(check(getattr(value, name)) for name, check in checks.items())
    ),
    limited=lambda check, limits: lambda value: check(value) and all(limit(value) for limit in limits),
)
