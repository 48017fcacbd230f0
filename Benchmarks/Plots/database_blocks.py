"""What the page says about SQLite and PostgreSQL."""

from __future__ import annotations

from charts import Bars
from measures import DATABASES, bars, percentile_columns
from page import Block
from records import Records
from tables import Column, Row, Table, ratio

PGBENCH = "scale/floor-pgbench"
SIDE_BY_SIDE = Table(
    "100,000 users, 64 clients",
    (
        Column("sign-ins a second", "scale/{}-sign-ins"),
        Column("of pgbench", "scale/{}-sign-ins", ratio),
        Column("per second of CPU, server and database", "scale/{}-sign-ins-per-cpu-second"),
    ),
    (
        *(Row(*database) for database in DATABASES),
        Row("pgbench, the same statements", "", {0: PGBENCH, 1: "", 2: PGBENCH + "-per-cpu-second"}),
    ),
)

DISTANCE = Table(
    "PostgreSQL",
    (
        Column("sign-ins a second, 64 clients", "scale/postgresql-{}-sign-ins"),
        Column("of the first", "scale/postgresql-{}-sign-ins", ratio),
        Column("own rate of one core, a second", "scale/postgresql-{}-own-rate"),
        *percentile_columns("scale/postgresql-{}-latency-<p>"),
        Column("p50 at a tenth of it, ms", "scale/postgresql-{}-light-latency-p50"),
    ),
    (Row("on the same machine", "undelayed"), Row("a round trip takes 1 ms longer", "delayed")),
)

PROCESSES = Table(
    "server processes",
    (
        Column("sign-ins a second, 64 clients", "scale/{}-sign-ins"),
        Column("per second of CPU", "scale/{}-per-cpu-second"),
        Column("of one process, by CPU", "scale/{}-per-cpu-second", ratio),
    ),
    tuple(
        Row(f"{label}, {count}", f"{kind}-{name}")
        for label, kind in DATABASES
        for count, name in (("one", "one-process"), ("two", "two-processes"))
    ),
)


def _database_chart(records: Records) -> Bars | None:
    chart = Bars(
        "Sign-ins on SQLite and PostgreSQL, beside pgbench",
        "Bars: sign-ins a second of 64 clients, and for each second of CPU time of server and database; pgbench with the "
        "same statements; and of another run, PostgreSQL near and a millisecond away",
        "sign-ins, or transactions of pgbench",
        ("a second, where clients share the cores", "for a second of CPU time, server and database together"),
        (),
    )
    kinds = tuple(
        (label, (f"scale/{kind}-sign-ins", f"scale/{kind}-sign-ins-per-cpu-second")) for label, kind in DATABASES
    )
    others = (
        ("pgbench", (PGBENCH, PGBENCH + "-per-cpu-second")),
        ("PostgreSQL, near", ("scale/postgresql-undelayed-sign-ins", None)),
        ("PostgreSQL, 1 ms away", ("scale/postgresql-delayed-sign-ins", None)),
    )
    return bars(records, chart, (*kinds, *others))


BLOCKS = (Block("databases", (SIDE_BY_SIDE, DISTANCE, PROCESSES), chart=_database_chart),)
