"""What the page says about the offered load: latencies, goodput and refusals."""

from __future__ import annotations

from charts import Lines, Panel
from measures import DATABASES, PERCENTILES, Points, if_measured, percentile_columns, points_of, value_of
from page import Block
from records import Records
from tables import Column, Row, Table, percent, ratio

OFFERED = (50, 75, 100, 150, 200, 250, 300)
KEYS = tuple((float(load), str(load)) for load in OFFERED)


def _open_loop(label: str, benchmark: str, prefix: str, suffix: str) -> Row:
    names = ["own-rate", *(f"latency-{name}" for _, name in PERCENTILES), "latency-worst-p99"]
    return Row(label, "", {index: f"{benchmark}/{prefix}{name}{suffix}" for index, name in enumerate(names)})


def _disk_floor() -> Row:
    names = ["", *(f"latency-{name}" for _, name in PERCENTILES), "latency-worst-p99"]
    own = {index: f"scale/floor-disk-{name}" if name else "" for index, name in enumerate(names)}
    return Row("what the disk alone leaves of it", "", own)


LATENCIES = Table(
    "at 70 % of the own rate",
    (
        Column("own rate, a second", "{}"),
        *percentile_columns("{}"),
        Column("p99 of the worst of three, ms", "{}", optional=True),
    ),
    (
        _open_loop("sign-ins, 10,000 users, SQLite", "server", "", "-open-loop"),
        _open_loop("the same with a TLS handshake each", "server", "", "-open-loop-fresh-connections"),
        _open_loop("out of band, 10,000 users, SQLite", "out-of-band", "", "-open-loop"),
        _open_loop("the ordinary mix, 10,000 users, SQLite", "out-of-band", "", "-open-loop-mix"),
        _open_loop("sign-ins, 100,000 users, SQLite", "scale", "sqlite-", ""),
        _disk_floor(),
        _open_loop("the ordinary mix, 100,000 users, SQLite", "scale", "sqlite-mix-", ""),
        _open_loop("sign-ins, 100,000 users, PostgreSQL", "scale", "postgresql-", ""),
        _open_loop("the ordinary mix, 100,000 users, PostgreSQL", "scale", "postgresql-mix-", ""),
    ),
)


def _over_load(label: str, kind: str, columns: tuple[Column, ...]) -> Table:
    filled = tuple(Column(c.heading, c.reference.replace("<kind>", kind), c.text, c.optional) for c in columns)
    return Table(f"{label}, load", filled, tuple(Row(f"{load} %", str(load)) for load in OFFERED))


SERVED = tuple(
    _over_load(*database, percentile_columns("scale/goodput-<kind>-latency-<p>-{}")) for database in DATABASES
)


def _latency_chart(records: Records) -> Lines | None:
    panels = tuple(
        Panel(
            label,
            "latency of what succeeded, ms",
            tuple(points_of(records, f"scale/goodput-{kind}-latency-{name}-{{}}", KEYS) for _, name in PERCENTILES),
            logarithmic=True,
        )
        for label, kind in DATABASES
    )
    return if_measured(
        Lines(
            "Latency of sign-ins over the offered load",
            "Lines of the percentiles 50, 99 and 99.9 at 50 to 300 % of the own rate, on SQLite and on PostgreSQL",
            "offered load, % of the own rate",
            KEYS,
            tuple(label for label, _ in PERCENTILES),
            panels,
            shared=True,
        )
    )


GOODPUT = tuple(
    _over_load(
        *database,
        (
            Column("goodput, a second", "scale/goodput-<kind>-{}"),
            Column("of the best", "scale/goodput-<kind>-{}", ratio),
            Column("refused", "scale/goodput-<kind>-refused-{}", percent),
            Column("failed", "scale/goodput-<kind>-failed-{}", percent),
            Column("refusal p50, ms", "scale/goodput-<kind>-refusal-p50-{}", optional=True),
            Column("refusal p99, ms", "scale/goodput-<kind>-refusal-p99-{}", optional=True),
        ),
    )
    for database in DATABASES
)


def _goodput_share(records: Records, kind: str) -> Points:
    """Goodput in percent of the own rate, over the offered load in percent of it."""
    own = value_of(records, f"scale/goodput-{kind}-own-rate")
    points = points_of(records, f"scale/goodput-{kind}-{{}}", KEYS)
    return tuple((load, goodput / own * 100) for load, goodput in points) if own else ()


def _goodput_chart(records: Records) -> Lines | None:
    shares = tuple(_goodput_share(records, kind) for _, kind in DATABASES)
    refusals = tuple(points_of(records, f"scale/goodput-{kind}-refusal-p99-{{}}", KEYS) for _, kind in DATABASES)
    if not any(shares):
        return None
    return Lines(
        "Goodput over the offered load, and the time that a refusal takes",
        "Left, sign-ins within a second in percent of the own rate, at 50 to 300 % of it, on SQLite, on PostgreSQL and "
        "without any loss; right, the 99th percentile of the time to a refusal",
        "offered load, % of the own rate",
        KEYS,
        (*(label for label, _ in DATABASES), "without loss"),
        (
            Panel("Goodput", "goodput, % of the own rate", (*shares, tuple((x, min(x, 100)) for x, _ in KEYS))),
            Panel("Refusals", "p99 of the time to a refusal, ms", (*refusals, ()), logarithmic=True),
        ),
    )


BLOCKS = (
    Block("latency", (LATENCIES, *SERVED), chart=_latency_chart),
    Block("goodput", GOODPUT, chart=_goodput_chart),
)
