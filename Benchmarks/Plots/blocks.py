"""What docs/operate/performance.md shows between its markers: the sentences at its head, tables and charts."""

from __future__ import annotations

from charts import Chart, Panel, Points
from page import Block
from records import Records
from tables import Column, Row, Table, ratio

DATABASES = (("SQLite", "sqlite"), ("PostgreSQL", "postgresql"))
PERCENTILES = (("p50", "p50"), ("p99", "p99"), ("p99.9", "p999"))


def points(records: Records, pattern: str, keys: tuple[tuple[float, str], ...], factor: float = 1) -> Points:
    """Points of the figures whose names the keys make, those that are measured."""
    found = ((x, records.get(pattern.format(key))) for x, key in keys)
    return tuple((x, figure.value * factor) for x, figure in found if figure)


SUMMARY = (
    "Sign-ins: 64 phones sign in {server/sign-ins-64-phones} times a second at a server that shares its cores with them. "
    "A second of the server's CPU time is worth {server/sign-ins-per-server-cpu-second-64-phones} sign-ins.",
    "Latency: at 70 % of its own rate, 99 of 100 sign-ins take less than {server/latency-p99-open-loop} ms. Of the ordinary "
    "mix {scale/sqlite-mix-unsuccessful} % of the operations fail there on SQLite, and "
    "{scale/postgresql-mix-unsuccessful} % on PostgreSQL.",
    "Overload: offered twice what it can do, a server serves {scale/goodput-sqlite-200:ratio} of its best rate within a "
    "second on SQLite and {scale/goodput-postgresql-200:ratio} on PostgreSQL; the rest is refused.",
    "Growth: with a million users, sign-ins reach {scale/lookup-sqlite-sign-ins-1e6:ratio} of the rate with a thousand on "
    "SQLite and {scale/lookup-postgresql-sign-ins-1e6:ratio} on PostgreSQL.",
    "Databases: on PostgreSQL, with a millisecond between server and database, sign-ins reach "
    "{scale/postgresql-delayed-sign-ins:ratio} of the usual rate. Two server processes on the same cores reach "
    "{scale/sqlite-two-processes-per-cpu-second:ratio} of one by CPU on SQLite and "
    "{scale/postgresql-two-processes-per-cpu-second:ratio} on PostgreSQL.",
    "SDK: of the {sdk/authentication-pin-total} ms of an authentication with a PIN, {sdk/authentication-pin-ours} ms are the "
    "SDK itself.",
)

# MARK: sign-ins and other operations of the server

FLOOR = "server/floor-per-server-cpu-second"
SIGN_INS = Table(
    "load",
    (
        Column("sign-ins a second", "server/sign-ins-{}"),
        Column("per second of the server's CPU", "server/sign-ins-per-server-cpu-second-{}"),
        Column("of bare verifications", "server/sign-ins-per-server-cpu-second-{}", ratio),
        Column("of the floor's CPU for each", "server/server-cpu-{}", ratio),
    ),
    (
        Row("1 phone", "1-phone"),
        Row("16 phones", "16-phones"),
        Row("64 phones", "64-phones"),
        Row("16 phones, a TLS handshake for each sign-in", "16-phones-fresh-connections"),
        Row("16 phones, a resumed TLS session for each sign-in", "16-phones-resumed-connections"),
        Row("floor, 64 phones", "", {0: "", 1: FLOOR, 2: FLOOR, 3: ""}),
    ),
)
OPERATIONS = Table(
    "operation",
    (
        Column("a second", "{}"),
        Column("per second of the server's CPU", "{}"),
        Column("of bare verifications", "{}", ratio),
        Column("CPU of 64 at a time, as a multiple of a sign-in's", "{}", ratio),
    ),
    tuple(
        Row(label, "", {0: f"{rate}-{load}", 1: f"{cost}-{load}", 2: f"{cost}-{load}", 3: multiple})
        for label, rate, load, multiple in (
            ("out of band: dispatch to status", "out-of-band/round-trips", "64-phones", ""),
            ("sign-in at a web site by code", "server/web-code-rounds", "16-pairs", "web-sites/web-code-server-cpu-64-pairs"),
            ("sign-in by CIBA", "server/web-ciba-rounds", "16-pairs", "web-sites/web-ciba-server-cpu-64-pairs"),
            ("view of the sign-in page", "server/web-page-views", "64-browsers", "web-sites/web-page-server-cpu-64-browsers"),
        )
        for cost in [f"{rate}-per-server-cpu-second"]
    ),
)

MEMORY = Table(
    "server on SQLite",
    (Column("resident memory, MiB", "{}"),),
    (
        Row("idle, an OpenID Provider, 10,000 users", "web-sites/memory-idle"),
        Row("with 1,000 open sign-in pages", "web-sites/memory-open-pages"),
        Row("10,000 users who sign in at 70 % of the own rate", "server/memory-open-loop"),
        Row("idle, 1,000,000 users", "growth/server-memory-1e6"),
        Row("1,000,000 users, after a million sign-ins", "growth/server-memory-after-sign-ins"),
    ),
)

# MARK: latency and overload

LOADS = tuple((float(load), str(load)) for load in (50, 75, 100, 150, 200, 250, 300))


def _open_loop(label: str, benchmark: str, prefix: str, suffix: str = "") -> Row:
    names = ["own-rate", *(f"latency-{name}" for _, name in PERCENTILES), "latency-worst-p99"]
    return Row(label, "", dict(enumerate(f"{benchmark}/{prefix}{name}{suffix}" for name in names)))


LATENCIES = Table(
    "at 70 % of the own rate",
    (
        Column("own rate, a second", "{}"),
        *(Column(f"{label}, ms", "{}") for label, _ in PERCENTILES),
        Column("p99 of the worst of five, ms", "{}"),
    ),
    (
        _open_loop("sign-ins, 10,000 users, SQLite", "server", "", "-open-loop"),
        _open_loop("the same with a TLS handshake each", "server", "", "-open-loop-fresh-connections"),
        _open_loop("out of band, 10,000 users, SQLite", "out-of-band", "", "-open-loop"),
        _open_loop("sign-ins, 100,000 users, SQLite", "scale", "sqlite-"),
        _open_loop("the ordinary mix, 100,000 users, SQLite", "scale", "sqlite-mix-"),
        _open_loop("sign-ins, 100,000 users, PostgreSQL", "scale", "postgresql-"),
        _open_loop("the ordinary mix, 100,000 users, PostgreSQL", "scale", "postgresql-mix-"),
    ),
)
PARTS = (("the queues", "queue"), ("the disk", "disk"), ("its own CPU time", "processor"), ("the rest", "rest"))
HALF_LOAD = Table(
    "sign-ins, 100,000 users, at half of the own rate",
    (
        Column("one phone alone, ms", "scale/half-load-{}-alone"),
        Column("p99, ms", "scale/half-load-{}-p99"),
        Column("of one alone", "scale/half-load-{}-p99", ratio),
        Column("p99 of the worst of five, ms", "scale/half-load-{}-worst-p99"),
        Column("mean, ms", "scale/half-load-{}-mean"),
        *(Column(f"share of {part}", f"scale/half-load-{{}}-{name}", ratio) for part, name in PARTS),
    ),
    tuple(Row(*database) for database in DATABASES),
)


def _latency_chart(records: Records) -> Chart:
    lines = {
        kind: tuple(points(records, f"scale/goodput-{kind}-latency-{name}-{{}}", LOADS) for _, name in PERCENTILES)
        for _, kind in DATABASES
    }
    return Chart(
        "Latency of sign-ins over the offered load",
        "Percentiles 50, 99 and 99.9 at 50 to 300 % of the own rate, on SQLite and on PostgreSQL",
        "offered load, % of the own rate",
        LOADS,
        tuple(label for label, _ in PERCENTILES),
        tuple(Panel(label, "ms, of what succeeded", lines[kind], logarithmic=True) for label, kind in DATABASES),
        shared=True,
    )


def _goodput_share(records: Records, kind: str) -> Points:
    """Goodput in percent of the own rate, over the offered load in percent of it."""
    own = records.get(f"scale/goodput-{kind}-own-rate")
    return points(records, f"scale/goodput-{kind}-{{}}", LOADS, 100 / own.value) if own else ()


def _goodput_chart(records: Records) -> Chart:
    shares = tuple(_goodput_share(records, kind) for _, kind in DATABASES)
    refusals = tuple(points(records, f"scale/goodput-{kind}-refusal-p99-{{}}", LOADS) for _, kind in DATABASES)
    return Chart(
        "Goodput over the offered load, and the time to a refusal",
        "Left, sign-ins within a second in percent of the own rate, at 50 to 300 % of it, on SQLite and on PostgreSQL; right, "
        "the 99th percentile of the time to a refusal",
        "offered load, % of the own rate",
        LOADS,
        tuple(label for label, _ in DATABASES),
        (Panel("Goodput", "% of the own rate", shares), Panel("Refusals, p99", "ms", refusals)),
    )


# MARK: growth and databases

POPULATIONS = (("1,000", "1e3"), ("100,000", "1e5"), ("1,000,000", "1e6"))
LARGEST = ("10,000,000", "1e7")


def _growth_chart(records: Records) -> Chart:
    keys = tuple((float(key), key) for _, key in POPULATIONS)
    return Chart(
        "Growth with the number of users",
        "Look-ups a second, sign-ins a second and the 99th percentile of the latency with a thousand to a million users, on "
        "SQLite and on PostgreSQL",
        "users, with a credential each",
        tuple(zip((count for count, _ in keys), ("1k", "100k", "1M"), strict=True)),
        tuple(label for label, _ in DATABASES),
        tuple(
            Panel(title, unit, tuple(points(records, f"scale/lookup-{kind}-{name}{{}}", keys) for _, kind in DATABASES))
            for title, unit, name in (
                ("Look-ups", "a second", ""),
                ("Sign-ins", "a second", "sign-ins-"),
                ("Latency, p99", "ms", "sign-in-latency-p99-"),
            )
        ),
        logarithmic=True,
    )


CREDENTIALS = Table(
    "credentials, SQLite",
    (
        Column("octets of the file for each", "growth/octets-of-credential-{}"),
        Column("look-up in the store, µs", "growth/store-lookup-{}"),
        Column("of that with 1,000", "growth/store-lookup-{}", ratio),
        Column("p99, µs", "growth/store-lookup-p99-{}"),
    ),
    tuple(Row(*population) for population in (*POPULATIONS, LARGEST)),
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
# MARK: the phone and the protocol core

SDK = Table(
    "operation, ms",
    (
        Column("total", "sdk/{}-total"),
        Column("the pretended user", "sdk/{}-user"),
        Column("key from the PIN", "sdk/{}-kdf"),
        Column("vault", "sdk/{}-vault"),
        Column("disk", "sdk/{}-disk"),
        Column("network and server", "sdk/{}-network"),
        Column("the SDK itself", "sdk/{}-ours"),
    ),
    (
        Row("registration, PIN", "registration-pin"),
        Row("authentication, PIN", "authentication-pin"),
        Row("change of the PIN", "pin-change"),
        Row("registration, finger", "registration-fingerprint"),
        Row("authentication, finger", "authentication-fingerprint"),
    ),
)
STORAGE = Table(
    "operation",
    (Column("SecureStorage", "storage/{}"), Column("of SQLCipher", "storage/{}", ratio), Column("SQLCipher", "")),
    tuple(
        Row(label, ours, {2: f"storage/{theirs}"})
        for label, ours, theirs in (
            ("open, 1,000 entries, ms", "open-1000", "sqlcipher-open-raw-key"),
            ("open with a passphrase, ms", "open-1000-passphrase", "sqlcipher-open-passphrase"),
            ("put one entry and write, ms", "put-and-write-1-of-1000", "sqlcipher-put-1-of-1000"),
            ("put 1,000 entries and write, ms", "put-and-write-1000", "sqlcipher-put-1000-durable"),
            ("get a text, per second of CPU", "get-string", "sqlcipher-get"),
        )
    ),
)
ENTRIES = tuple((float(count), str(count)) for count in (10, 100, 1_000, 10_000, 100_000))


def _storage_chart(records: Records) -> Chart:
    kinds = (
        ("Open", "ms", "open", 1),
        ("Put one and write", "ms", "put-and-write-1", 1),
        ("Get", "thousands per second of CPU", "get-string", 1e-3),
    )
    peers = {"open": "sqlcipher-open", "put-and-write-1": "sqlcipher-put-1", "get-string": "sqlcipher-get"}
    return Chart(
        "The storage of the SDK beside SQLCipher",
        "Time to open, time to put one entry and write, and gets per second of CPU time, with ten to a hundred thousand entries",
        "entries",
        tuple(zip((count for count, _ in ENTRIES), ("10", "100", "1k", "10k", "100k"), strict=True)),
        ("SecureStorage", "SQLCipher"),
        tuple(
            Panel(
                title,
                unit,
                tuple(points(records, f"storage/{name}-of-{{}}", ENTRIES, factor) for name in (ours, peers[ours])),
            )
            for title, unit, ours, factor in kinds
        ),
        logarithmic=True,
    )


ALGORITHMS = (("P-256 raw", "p256-raw"), ("RSA-2048", "rsa-2048"))
JUDGING = Table(
    "answer of a phone",
    (
        Column("a second and core", "relying-party/{}"),
        Column("of bare verifications", "relying-party/{}", ratio),
        Column("cost beside the verification, in P-256 verifications", "relying-party/overhead-{}"),
    ),
    tuple(
        Row(f"{what}, {label}", f"{what}-{name}") for what in ("authentication", "registration") for label, name in ALGORITHMS
    )
    + (Row("passkey, ES256", "passkey-es256", {2: ""}), Row("passkey, RS256", "passkey-rs256", {2: ""})),
)

BLOCKS = (
    Block("summary", texts=SUMMARY),
    Block("sign-ins", (SIGN_INS, OPERATIONS)),
    Block("memory", (MEMORY,)),
    Block("latency", (LATENCIES, HALF_LOAD), _latency_chart),
    Block("goodput", chart=_goodput_chart),
    Block("growth", (CREDENTIALS,), _growth_chart),
    Block("databases", (SIDE_BY_SIDE,)),
    Block("operations", (SDK,)),
    Block("storage", (STORAGE,), _storage_chart),
    Block("judging", (JUDGING,)),
)
