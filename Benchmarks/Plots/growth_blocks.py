"""What the page says about the growth with the number of users and credentials."""

from __future__ import annotations

from charts import Lines, Panel
from measures import DATABASES, if_measured, percentile_columns, points_of
from page import Block
from records import Records
from scales import logarithmic
from tables import Column, Row, Table, ratio

# Numbers of users with a credential each, as tables, figures and axes name them.
POPULATIONS = (("1,000", "1e3", "10³"), ("100,000", "1e5", "10⁵"), ("1,000,000", "1e6", "10⁶"))
LARGEST = ("10,000,000", "1e7", "10⁷")
USERS = (("users as they come", "store-lookup"), ("all users alike", "store-lookup-uniform"))


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


STORE = Table(
    "credentials in the store, SQLite",
    (
        Column("octets of the file for each", "growth/octets-of-credential-{}"),
        Column("look-up, µs", "growth/store-lookup-{}"),
        Column("of that with 1,000", "growth/store-lookup-{}", ratio),
        Column("p99, µs", "growth/store-lookup-p99-{}"),
        Column("all users alike, µs", "growth/store-lookup-uniform-{}"),
        Column("of that with 1,000", "growth/store-lookup-uniform-{}", ratio),
        Column("p99, µs", "growth/store-lookup-uniform-p99-{}"),
    ),
    tuple(Row(count, key) for count, key, _ in (*POPULATIONS, LARGEST)),
)

SERVER = Table(
    "credentials of a server, SQLite",
    (
        Column("start, ms", "growth/server-start-{}"),
        Column("memory, MiB", "growth/server-memory-{}"),
        Column("look-ups a second", "growth/server-lookups-{}"),
        Column("CPU for 1,000 look-ups, s", "growth/server-lookup-cpu-{}"),
    ),
    tuple(Row(count, key) for count, key, _ in POPULATIONS),
)

IN_A_ROW = Table(
    "sign-ins in a row, 64 clients, SQLite",
    (Column("figure", "growth/{}"),),
    (
        Row("sign-ins", "sign-ins"),
        Row("rate, a second", "sign-in-rate"),
        Row("server's CPU for 1,000, s", "sign-in-cpu"),
        Row("longest time without an answer, ms", "stall-longest"),
        Row("the longest of the generator's own, ms", "generator-stall-longest"),
        Row("octets that the database keeps of each", "octets-kept-of-sign-in"),
        Row("octets that the server writes for each", "octets-written-for-sign-in"),
        Row("memory of the server at the end, MiB", "server-memory-after-sign-ins"),
    ),
)


def _store_chart(records: Records) -> Lines | None:
    populations = (*POPULATIONS, LARGEST)
    keys = tuple((float(key), key) for _, key, _ in populations)
    panels = tuple(
        Panel(title, "µs", tuple(points_of(records, f"growth/{name}{part}-{{}}", keys) for _, name in USERS))
        for title, part in (("Look-up in the store", ""), ("Its 99th percentile", "-p99"))
    )
    return if_measured(
        Lines(
            "Look-ups in the store, by the number of credentials",
            "Time in the store of what a sign-in reads, with a thousand to ten million credentials on SQLite: of users as "
            "they come, some more often than others, and of all users alike",
            "credentials",
            tuple((float(key), text) for _, key, text in populations),
            tuple(label for label, _ in USERS),
            panels,
            spread=logarithmic,
            height=200,
        )
    )


BLOCKS = (
    Block("growth", tuple(_growth_table(*database) for database in DATABASES), chart=_growth_chart),
    Block("credentials", (STORE, SERVER, IN_A_ROW), chart=_store_chart),
)
