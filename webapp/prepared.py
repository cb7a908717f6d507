"""Statements that are compiled once and then handed to the driver as text: for the path of a move.

SQLAlchemy builds, hashes and wraps a statement each time that it runs, which takes several times as long as
SQLite needs to answer it. Where a page or a move asks the same few questions again and again, that is most of
the time (see bench/). The statements are still written in SQLAlchemy, so that both databases understand them.
"""

from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from sqlalchemy import Connection, Dialect, Executable
from sqlalchemy.sql.compiler import SQLCompiler

Convert = Callable[[Any], Any]


class _Compiled(NamedTuple):
    sql: str
    names: list[str] | None  # in their order where the driver wants a tuple; None where it wants a mapping
    constants: Mapping[str, Any]
    writers: dict[str, Convert]
    readers: list[tuple[int, Convert]]
    row: Callable[[Any], Any]


class Prepared:
    """A statement whose values come by name: `Prepared(select(...).where(User.id == bindparam("me")))`.

    One that SQLAlchemy has once for each database, as an INSERT with ON CONFLICT, comes as a function that makes it.
    """

    def __init__(self, statement: Executable | Callable[[], Executable]) -> None:
        self._statement = statement
        self._compiled: dict[str, _Compiled] = {}

    def rows(self, connection: Connection, **values: Any) -> list[Any]:
        cursor, compiled = self._execute(connection, values)
        rows = cursor.fetchall()
        if compiled.readers:
            rows = [_converted(row, compiled.readers) for row in rows]
        return [compiled.row(row) for row in rows]

    def run(self, connection: Connection, **values: Any) -> int:
        """For an INSERT, UPDATE or DELETE: how many rows it met."""
        cursor, _ = self._execute(connection, values)
        return int(cursor.rowcount)

    def run_all(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """For an INSERT or DELETE of any number of rows: one call, to which PostgreSQL answers once."""
        if rows:
            self._execute(connection, *rows)

    def _execute(self, connection: Connection, *rows: Mapping[str, Any]) -> tuple[Any, _Compiled]:
        dialect = connection.dialect
        compiled = self._compiled.get(dialect.name) or self._compile(dialect)
        cursor = connection.connection.cursor()
        arguments: list[Any] = [_arguments(compiled, values) for values in rows]
        if len(rows) == 1:
            cursor.execute(compiled.sql, arguments[0])
        else:
            cursor.executemany(compiled.sql, arguments)
        return cursor, compiled

    def _compile(self, dialect: Dialect) -> _Compiled:
        statement: Any = self._statement() if callable(self._statement) else self._statement
        compiler = _with_constants(dialect.statement_compiler)(dialect, statement)
        types = {name: bind.type.dialect_impl(dialect) for bind, name in compiler.bind_names.items()}
        writers = {name: kind.bind_processor(dialect) for name, kind in types.items()}
        columns = list(statement.exported_columns)  # of a SELECT, or what RETURNING gives
        readers = [column.type.dialect_impl(dialect).result_processor(dialect, None) for column in columns]
        make_row: Any = namedtuple("Row", [str(column.key) for column in columns])  # type: ignore[misc]
        self._compiled[dialect.name] = compiled = _Compiled(
            str(compiler),
            compiler.positiontup if compiler.positional else None,
            {name: value for name, value in compiler.params.items() if value is not None},
            {name: writer for name, writer in writers.items() if writer},
            [(number, reader) for number, reader in enumerate(readers) if reader],
            make_row._make,
        )
        return compiled


def _with_constants(compiler: type[SQLCompiler]) -> type[SQLCompiler]:
    """Writes the words and numbers of the statement itself into its text, as `status = 'open'`. If it had to look at
    parameters to see whether a partial index will do, SQLite would plan the statement anew each time that it is run.
    """

    class WithConstants(compiler):  # type: ignore[misc, valid-type]
        def visit_bindparam(self, bindparam: Any, *arguments: Any, **more: Any) -> str:
            if isinstance(bindparam.value, (str, int)):
                more["literal_binds"] = True
            return cast(str, super().visit_bindparam(bindparam, *arguments, **more))

    return WithConstants


def _arguments(compiled: _Compiled, values: Mapping[str, Any]) -> Sequence[Any] | Mapping[str, Any]:
    given = {**compiled.constants, **values} if compiled.constants else values
    if compiled.writers:
        given = {**given, **{name: writer(given[name]) for name, writer in compiled.writers.items()}}
    return given if compiled.names is None else [given[name] for name in compiled.names]


def _converted(row: Sequence[Any], readers: list[tuple[int, Convert]]) -> list[Any]:
    values = list(row)
    for number, reader in readers:
        if values[number] is not None:
            values[number] = reader(values[number])
    return values
