"""What the page says about databases, and about the growth with the number of users."""

from __future__ import annotations

from charts import Bars, Lines, Panel
from measures import DATABASES, bars, if_measured, percentile_columns, points_of
from page import Block
from records import Records
from scales import logarithmic
from tables import Column, Row, Table, ratio

POPULATIONS = (("1,000", "1e3", "10³"), ("100,000", "1e5", "10⁵"), ("1,000,000", "1e6", "10⁶"))


def _growth_table(label: str, kind: str) -> Table:
    name = f"scale/lookup-{kind}"
    return Table(
        f"{label}, users",
        (
            Column("look-ups a second", name + "-{}"),
            Column("of those with 1,000", name + "-{}", ratio),
            Column("sign-ins a second", name + "-sign-ins-{}"),
            Column("of those with 1,000", name + "-sign-ins-{}", ratio),
            Column("CPU for 1,000 sign-ins, s", name + "-sign-in-cpu-{}"),
            *percentile_columns(name + "-sign-in-latency-<p>-{}"),
        ),
        tuple(Row(users, key) for users, key, _ in POPULATIONS),
    )


def _growth_chart(records: Records) -> Lines | None:
    keys = tuple((float(key), key) for _, key, _ in POPULATIONS)
    panels = tuple(
        Panel(title, unit, tuple(points_of(records, f"scale/lookup-{kind}-{name}{{}}", keys) for _, kind in DATABASES))
        for title, unit, name in (
            ("Look-ups", "a second", ""),
            ("Sign-ins", "a second", "sign-ins-"),
            ("Latency, p99", "ms", "sign-in-latency-p99-"),
        )
    )
    return if_measured(
        Lines(
            "Growth with the number of users",
            "Look-ups a second, sign-ins a second and the 99th percentile of the latency with a thousand to a million "
            "users, on SQLite and on PostgreSQL",
            "users, with a credential each",
            tuple((float(key), text) for _, key, text in POPULATIONS),
            tuple(label for label, _ in DATABASES),
            panels,
            spread=logarithmic,
            height=200,
        )
    )


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


BLOCKS = (
    Block("growth", tuple(_growth_table(*database) for database in DATABASES), chart=_growth_chart),
    Block("databases", (SIDE_BY_SIDE, DISTANCE, PROCESSES), chart=_database_chart),
)
