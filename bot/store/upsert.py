"""Insert or update, in the same words on SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Dialect, bindparam
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.types import UserDefinedType

from bot.store.tables import Base

IN_LIMIT = 1000
"""How many values one IN list takes at most; both databases allow some 32,000 parameters a statement."""

MANY = 50
"""From so many rows on they are handed to the driver directly."""

_BLOCK = 1000
"""How many rows one statement of SQLite takes; with 32 columns that is all the parameters it may have."""

T = TypeVar("T")


def chunks(values: Sequence[T], size: int = IN_LIMIT) -> Iterable[Sequence[T]]:
    """`values` in consecutive slices of at most `size`."""
    return (values[start : start + size] for start in range(0, len(values), size))


def among(column: ColumnElement[int], ids: Iterable[int]) -> ColumnElement[bool]:
    """`column IN (ids)` with the ids written into the statement: binding a thousand takes longer than asking."""
    return column.bool_op("IN")(bindparam("ids", list(ids), type_=_Ids(), literal_execute=True))


class _Ids(UserDefinedType[Sequence[int]]):
    cache_ok = True

    def literal_processor(self, dialect: Dialect) -> Callable[[Sequence[int]], str]:
        return lambda ids: f"({', '.join([str(int(each)) for each in ids]) or 'NULL'})"


async def upsert(
    connection: AsyncConnection,
    row: type[Base],
    values: Sequence[Mapping[str, Any]],
    *,
    keep: Iterable[str] = (),
    change: Callable[[Any], Mapping[str, Any]] | None = None,
    where: Callable[[Any], ColumnElement[bool]] | None = None,
) -> None:
    """Insert each of `values` (all with the same keys), or update the row with the same primary key.

    An update sets every given column that is neither part of the key nor in `keep`. `change` gets the values
    that were to be inserted (SQL's `excluded`) and names columns that are set otherwise; `where` gets them too
    and says which rows may be updated. The rows are written in the order of their keys, each key once (the
    last one wins), so that two writers at the same time cannot wait for each other in a circle.
    """
    if not values:
        return
    table: Any = row.__table__
    key = [column.name for column in table.primary_key]
    key_of = itemgetter(*key)
    by_key = {key_of(value): value for value in values}
    ordered = [by_key[each] for each in sorted(by_key)]
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    statement = dialect.insert(table)
    excluded = statement.excluded
    columns = [name for name in ordered[0] if name not in key and name not in set(keep)]
    setting = {name: excluded[name] for name in columns} | dict(change(excluded) if change else {})
    if setting:
        statement = statement.on_conflict_do_update(
            index_elements=key, set_=setting, where=where(excluded) if where else None
        )
    else:
        statement = statement.on_conflict_do_nothing(index_elements=key)
    if len(ordered) < MANY:
        await connection.execute(statement, ordered)
    else:
        await _execute_many(connection, table, statement, ordered)


async def _execute_many(
    connection: AsyncConnection, table: Any, statement: Any, values: Sequence[Mapping[str, Any]]
) -> None:
    """What `execute` does with many rows, at half the cost: values are prepared column by column, not row by row.

    SQLite takes whole blocks of rows in one statement, during which the program goes on with other things;
    `executemany` would ask for the interpreter's lock with every row.
    """
    dialect = connection.dialect
    compiled = statement.compile(dialect=dialect, column_keys=list(values[0]))
    names = compiled.positiontup
    if not values[0].keys() >= set(names):
        await connection.execute(statement, values)
        return
    columns = [
        _prepared(list(map(itemgetter(name), values)), table.c[name].type.dialect_impl(dialect).bind_processor(dialect))
        for name in names
    ]
    rows = list(zip(*columns, strict=True))
    in_blocks = len(rows) - len(rows) % _BLOCK if dialect.name == "sqlite" else 0
    if in_blocks:
        one = f"({', '.join('?' * len(names))})"
        of_a_block = compiled.string.replace(one, ", ".join([one] * _BLOCK), 1)
        for block in chunks(rows[:in_blocks], _BLOCK):
            await connection.exec_driver_sql(of_a_block, tuple(chain.from_iterable(block)))
    if rest := rows[in_blocks:]:
        await connection.exec_driver_sql(compiled.string, rest)


def _prepared(values: list[Any], prepare: Callable[[Any], Any] | None) -> list[Any]:
    """Values as the driver takes them; most columns of most rows hold nothing."""
    if prepare is None:
        return values
    nothing = prepare(None)
    return [nothing if each is None else prepare(each) for each in values]


async def insert_new(connection: AsyncConnection, row: type[Base], values: Sequence[Mapping[str, Any]]) -> None:
    """Insert those of `values` whose primary key is not there yet; the others stay as they stand."""
    await upsert(connection, row, values, keep=values[0].keys() if values else ())
