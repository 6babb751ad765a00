"""Reads the files of a dataset with readers that are not the writing library.

    interop.py FILE.parquet EXPECTED.jsonl   every reader gives the expected values
    interop.py DATASET                       all readers give the same values

Values are brought to one form first: None, bool, int, str, list, a double as
the hex digits of its bits, a timestamp as microseconds since 1970, a decimal as
its digits. So -0.0 differs from 0.0, and a missing list from an empty one.
"""

import datetime
import decimal
import json
import pathlib
import struct
import sys

import duckdb
import polars
import pyarrow.parquet

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def plain(value):
    """Brings a value to the form that is compared."""
    if isinstance(value, float):
        return "double " + struct.pack(">d", value).hex()
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            raise ValueError("a timestamp without a time zone")
        delta = value - EPOCH
        return f"time {(delta.days * 86400 + delta.seconds) * 1_000_000 + delta.microseconds}"
    if isinstance(value, decimal.Decimal):
        return f"decimal {value:.9f}"
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value


def with_pyarrow(path):
    table = pyarrow.parquet.read_table(path)
    return {name: table.column(name).to_pylist() for name in table.column_names}


def with_polars(path):
    frame = polars.read_parquet(path)
    return {name: frame.get_column(name).to_list() for name in frame.columns}


def with_duckdb(path):
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    result = connection.execute("SELECT * FROM read_parquet(?)", [str(path)])
    names = [d[0] for d in result.description]
    rows = result.fetchall()
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}


READERS = {"pyarrow": with_pyarrow, "polars": with_polars, "duckdb": with_duckdb}


def read(path):
    return {
        name: {column: [plain(v) for v in values] for column, values in reader(path).items()}
        for name, reader in READERS.items()
    }


def expected(path):
    columns = {}
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        for name, value in json.loads(line).items():
            columns.setdefault(name, []).append(value)
    return columns


def differences(where, want, have):
    """Yields one line for each column that differs, and its first place."""
    if list(want) != list(have):
        yield f"{where}: have columns {list(have)}, want {list(want)}"
        return
    for name in want:
        if len(want[name]) != len(have[name]):
            yield f"{where}: {name}: have {len(have[name])} values, want {len(want[name])}"
            continue
        for row, (w, h) in enumerate(zip(want[name], have[name])):
            if w != h or type(w) is not type(h):
                yield f"{where}: {name}: row {row + 1}: have {h!r:.80}, want {w!r:.80}"
                break


def check_file(path, want=None):
    found = read(path)
    if want is None:
        want = found["duckdb"]
    for reader, have in found.items():
        yield from differences(f"{path}: {reader}", want, have)


def main(arguments):
    problems = []
    files = 0
    if len(arguments) == 2:
        files, problems = 1, list(check_file(arguments[0], expected(arguments[1])))
    elif len(arguments) == 1:
        folder = pathlib.Path(arguments[0])
        for file in json.loads((folder / "lineage.json").read_text(encoding="utf-8"))["files"]:
            files += 1
            problems += check_file(folder / file["path"])
    else:
        print(__doc__, file=sys.stderr)
        return 2
    for line in problems:
        print(line)
    print(f"{files} files, {', '.join(READERS)}: {len(problems)} columns differ", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
