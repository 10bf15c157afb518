"""Insert or update, in the same words on SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import BigInteger, BindParameter, ColumnElement, bindparam
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.tables import Base

IN_LIMIT = 1000
"""How many values one IN list takes at most; both databases allow some 32,000 parameters a statement."""

MANY = 50
"""From so many rows on they are handed to the driver directly."""

T = TypeVar("T")


def chunks(values: Sequence[T], size: int = IN_LIMIT) -> Iterable[Sequence[T]]:
    """`values` in consecutive slices of at most `size`."""
    return (values[start : start + size] for start in range(0, len(values), size))


def literal_ids(ids: Sequence[int]) -> BindParameter[int]:
    """Ids for an IN list, written into the statement as numbers: binding a thousand takes longer than asking."""
    return bindparam("ids", [int(each) for each in ids], type_=BigInteger(), expanding=True, literal_execute=True)


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
    by_key = {tuple(value[name] for name in key): value for value in values}
    ordered = [dict(by_key[each]) for each in sorted(by_key)]
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
    """What `execute` does with many rows, at half the cost: values are prepared column by column, not row by row."""
    dialect = connection.dialect
    compiled = statement.compile(dialect=dialect, column_keys=list(values[0]))
    if not values[0].keys() >= set(compiled.positiontup):
        await connection.execute(statement, values)
        return
    columns = []
    for name in compiled.positiontup:
        prepare = table.c[name].type.dialect_impl(dialect).bind_processor(dialect)
        plain = [value[name] for value in values]
        columns.append(plain if prepare is None else [prepare(each) for each in plain])
    await connection.exec_driver_sql(compiled.string, list(zip(*columns, strict=True)))


async def insert_new(connection: AsyncConnection, row: type[Base], values: Sequence[Mapping[str, Any]]) -> None:
    """Insert those of `values` whose primary key is not there yet; the others stay as they stand."""
    await upsert(connection, row, values, keep=values[0].keys() if values else ())
