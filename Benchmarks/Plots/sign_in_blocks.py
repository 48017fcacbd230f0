"""What the page says about sign-ins and other operations of the server."""

from __future__ import annotations

from charts import Bars
from measures import bars
from page import Block
from records import Records
from tables import Column, Row, Table, ratio

LOADS = (
    Row("1 phone", "1-phone"),
    Row("16 phones", "16-phones"),
    Row("64 phones", "64-phones"),
    Row("16 phones, a TLS handshake for each sign-in", "16-phones-fresh-connections"),
    Row("16 phones, a resumed TLS session for each sign-in", "16-phones-resumed-connections"),
)
HANDSHAKES = tuple(
    Row(f"{label}, beside the floor", "", {0: "", 1: "", 2: "", 3: figure, 4: figure, 5: ""})
    for label, kind in (("a full TLS handshake", "full"), ("a resumed one", "resumed"))
    for figure in [f"server/floor-{kind}-handshake-server-cpu"]
)
FLOOR = "server/floor-per-server-cpu-second"


def _sign_in_chart(records: Records) -> Bars | None:
    chart = Bars(
        "Sign-ins of phones, and the floor",
        "Bars for 1, 16 and 64 phones and for 16 phones with a handshake or a resumed session each: sign-ins a second, and "
        "for each second of the server's CPU time; below them the floor",
        "sign-ins",
        ("a second, where phones and server share the cores", "for a second of the server's CPU time"),
        (),
    )
    names = ("server/sign-ins-{}", "server/sign-ins-per-server-cpu-second-{}")
    shorter = (("a TLS handshake for each sign-in", "handshakes"), ("a resumed TLS session for each sign-in", "resumed"))
    groups = []
    for row in LOADS:
        label = row.label
        for long, short in shorter:
            label = label.replace(long, short)
        groups.append((label, row.key))
    loads = tuple((label, tuple(name.format(key) for name in names)) for label, key in groups)
    return bars(records, chart, (*loads, ("floor, 64 phones", (None, FLOOR))))


SIGN_INS = Table(
    "load",
    (
        Column("sign-ins a second", "server/sign-ins-{}"),
        Column("per second of the server's CPU", "server/sign-ins-per-server-cpu-second-{}"),
        Column("of bare verifications", "server/sign-ins-per-server-cpu-second-{}", ratio),
        Column("server's CPU for 1,000, s", "server/server-cpu-{}"),
        Column("of the floor", "server/server-cpu-{}", ratio),
        Column("the kernel's part, s", "server/server-kernel-cpu-{}"),
    ),
    (
        *LOADS,
        Row("floor, 64 phones", "", {0: "", 1: FLOOR, 2: FLOOR, 3: "server/floor-server-cpu", 4: "", 5: ""}),
        *HANDSHAKES,
    ),
)

OTHERS = Table(
    "operation",
    (
        Column("a second", "{}"),
        Column("per second of the server's CPU", "{}"),
        Column("of bare verifications", "{}", ratio),
        Column("server's CPU for 1,000, s", "{}"),
    ),
    tuple(
        Row(label, "", {0: f"{rate}-{load}", 1: f"{cost}-{load}", 2: f"{cost}-{load}", 3: f"{cpu}-{load}"})
        for label, rate, load, cpu in (
            (
                "out of band, from the dispatch to the status",
                "out-of-band/round-trips",
                "64-phones",
                "out-of-band/server-cpu",
            ),
            ("sign-in at a web site by code", "server/web-code-rounds", "16-pairs", "server/web-code-server-cpu"),
            ("sign-in by CIBA", "server/web-ciba-rounds", "16-pairs", "server/web-ciba-server-cpu"),
            ("view of the sign-in page", "server/web-page-views", "64-browsers", "server/web-page-server-cpu"),
        )
        for cost in [f"{rate}-per-server-cpu-second"]
    ),
)

SEALING = Table(
    "payload of a dispatch",
    (
        Column("per second of CPU", "out-of-band/{}"),
        Column("of bare key agreements", "out-of-band/{}", ratio),
    ),
    (Row("seal", "jwe-seal"), Row("open", "jwe-open")),
)


BLOCKS = (
    Block("sign-ins", (SIGN_INS,), chart=_sign_in_chart),
    Block("other-operations", (OTHERS, SEALING)),
)
