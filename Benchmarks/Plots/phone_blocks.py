"""What the page says about the phone and about the protocol core: operations, guards, storage, judging."""

from __future__ import annotations

from charts import Bars, Lines, Panel
from measures import Points, bars, if_measured
from page import Block
from records import Records
from scales import logarithmic
from tables import Column, Row, Table, ratio

OPERATIONS = (
    Row("registration, PIN", "registration-pin"),
    Row("authentication, PIN", "authentication-pin"),
    Row("change of the PIN", "pin-change"),
    Row("deregistration, PIN", "deregistration-pin"),
    Row("registration, finger", "registration-fingerprint"),
    Row("authentication, finger", "authentication-fingerprint"),
    Row("deregistration, finger", "deregistration-fingerprint"),
)
PARTS = (
    ("the pretended user", "user"),
    ("key from the PIN", "kdf"),
    ("vault", "vault"),
    ("disk", "disk"),
    ("network and server", "network"),
    ("the SDK itself", "ours"),
)
ENTRIES = (10, 100, 1_000, 10_000, 100_000)
ALGORITHMS = (("P-256 raw", "p256-raw"), ("P-256 DER", "p256-der"), ("RSA-2048", "rsa-2048"))

# MARK: operations of the SDK

TIMES = Table(
    "operation, ms",
    (
        Column("total", "sdk/{}-total"),
        *(Column(label, f"sdk/{{}}-{part}") for label, part in PARTS),
        Column("CPU of all threads", "sdk/{}-processor"),
    ),
    OPERATIONS,
)
GUARDS = Table(
    "guards",
    (Column("ms", "sdk/{}"),),
    (Row("first look at a process", "guards-start"), Row("look before an operation", "guards-operation")),
)


def _operation_chart(records: Records) -> Bars | None:
    parts = PARTS[2:]
    chart = Bars(
        "An operation of the SDK, without the user and the key from the PIN",
        "A bar for each operation, of the times for the vault, the disk, the network with the server, and the SDK itself; "
        "the times of the user and of the key derivation stand in the table",
        "ms",
        tuple(label for label, _ in parts),
        (),
        stacked=True,
    )
    groups = tuple((row.label, tuple(f"sdk/{row.key}-{part}" for _, part in parts)) for row in OPERATIONS)
    return bars(records, chart, groups)


# MARK: storage

STORAGE = Table(
    "operation",
    (
        Column("SecureStorage", "storage/{}"),
        Column("of SQLCipher", "storage/{}", ratio),
        Column("SQLCipher", ""),
    ),
    tuple(
        Row(label, ours, {2: f"storage/{theirs}"})
        for label, ours, theirs in (
            ("open, 1,000 entries, ms", "open-1000", "sqlcipher-open-raw-key"),
            ("the same from the main actor, ms", "open-1000-on-main-actor", "sqlcipher-open-raw-key"),
            ("open with a passphrase, ms", "open-1000-passphrase", "sqlcipher-open-passphrase"),
            ("put one entry and write, ms", "put-and-write-1-of-1000", "sqlcipher-put-1-of-1000"),
            ("put 1,000 entries and write, ms", "put-and-write-1000", "sqlcipher-put-1000-durable"),
            ("get a text, per second of CPU", "get-string", "sqlcipher-get"),
            ("put in memory, per second of CPU", "put-volatile", "sqlcipher-put-in-transaction"),
        )
    ),
)
GROWTH = Table(
    "entries",
    (
        Column("open, ms", "storage/open-of-{}"),
        Column("of SQLCipher", "storage/open-of-{}", ratio),
        Column("put one and write, ms", "storage/put-and-write-1-of-{}"),
        Column("of SQLCipher", "storage/put-and-write-1-of-{}", ratio),
        Column("gets per second of CPU", "storage/get-string-of-{}"),
        Column("of SQLCipher", "storage/get-string-of-{}", ratio),
    ),
    tuple(Row(f"{count:,}", str(count)) for count in ENTRIES),
)


def _storage_lines(records: Records, names: tuple[str, str], factor: float) -> tuple[Points, ...]:
    lines = []
    for name in names:
        found = ((count, records.get(f"storage/{name}-of-{count}")) for count in ENTRIES)
        lines.append(tuple((float(count), figure.value * factor) for count, figure in found if figure))
    return tuple(lines)


def _storage_chart(records: Records) -> Lines | None:
    panels = tuple(
        Panel(title, unit, _storage_lines(records, names, factor))
        for title, unit, names, factor in (
            ("Open", "ms", ("open", "sqlcipher-open"), 1),
            ("Put one and write", "ms", ("put-and-write-1", "sqlcipher-put-1"), 1),
            ("Get", "thousands per second of CPU", ("get-string", "sqlcipher-get"), 1e-3),
        )
    )
    chart = Lines(
        "The storage of the SDK beside SQLCipher",
        "Time to open, time to put one entry and write, and gets per second of CPU time, with ten to a hundred thousand "
        "entries",
        "entries",
        tuple(zip(map(float, ENTRIES), ("10", "10²", "10³", "10⁴", "10⁵"), strict=True)),
        ("SecureStorage", "SQLCipher"),
        panels,
        spread=logarithmic,
        height=200,
    )
    return if_measured(chart)


# MARK: the protocol core

JUDGING = Table(
    "answer of a phone",
    (
        Column("a second and core", "relying-party/{}"),
        Column("of bare verifications", "relying-party/{}", ratio),
        Column("cost beside the verification, in P-256 verifications", "relying-party/overhead-{}"),
    ),
    (
        *(Row(f"authentication, {label}", f"authentication-{name}") for label, name in ALGORITHMS),
        *(Row(f"registration, {label}", f"registration-{name}") for label, name in ALGORITHMS),
        *(Row(f"bare verification, {label}", f"verify-{name}", {1: "", 2: ""}) for label, name in ALGORITHMS),
    ),
)


def _judging_chart(records: Records) -> Bars | None:
    chart = Bars(
        "Answers that one core reads and judges, beside bare verifications",
        "Bars for P-256 raw, P-256 DER and RSA-2048: bare verifications of BoringSSL, authentications and registrations a "
        "second and core",
        "a second and core",
        ("bare verification", "authentication", "registration"),
        (),
    )
    names = ("verify", "authentication", "registration")
    groups = tuple((label, tuple(f"relying-party/{name}-{key}" for name in names)) for label, key in ALGORITHMS)
    return bars(records, chart, groups)


BLOCKS = (
    Block("operations", (TIMES, GUARDS), chart=_operation_chart),
    Block("storage", (STORAGE, GROWTH), chart=_storage_chart),
    Block("judging", (JUDGING,), chart=_judging_chart),
)
