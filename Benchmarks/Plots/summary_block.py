"""The sentences at the head of the page."""

from __future__ import annotations

from page import Block

SUMMARY = (
    "Sign-ins: 64 phones sign in {server/sign-ins-64-phones} times a second at a server that shares its cores with them. "
    "A second of the server's CPU time is worth {server/sign-ins-per-server-cpu-second-64-phones} sign-ins.",
    "Latency: at 70 % of its own rate, half of the sign-ins take less than {server/latency-p50-open-loop} ms, and "
    "99 of 100 less than {server/latency-p99-open-loop} ms.",
    "Overload: offered twice what it can do, a server serves {scale/goodput-sqlite-200:ratio} of its best rate within a "
    "second on SQLite and {scale/goodput-postgresql-200:ratio} on PostgreSQL; the rest is refused.",
    "Growth: with a million users, sign-ins reach {scale/lookup-sqlite-sign-ins-1e6:ratio} of the rate with a thousand on "
    "SQLite and {scale/lookup-postgresql-sign-ins-1e6:ratio} on PostgreSQL.",
    "Databases: on PostgreSQL sign-ins reach {scale/postgresql-sign-ins:ratio} of the rate of pgbench, which only runs the "
    "statements, and {scale/postgresql-delayed-sign-ins:ratio} of the usual rate with a millisecond between.",
    "SDK: of the {sdk/authentication-pin-total} ms of an authentication with a PIN, {sdk/authentication-pin-kdf} ms make a "
    "key from the PIN, on purpose, and {sdk/authentication-pin-ours} ms are the SDK itself.",
    "Storage: opening a storage of 1,000 entries takes {storage/open-1000} ms, {storage/open-1000:ratio} of what SQLCipher "
    "takes.",
    "Judging: one core reads and judges {relying-party/authentication-p256-raw} authentications a second, "
    "{relying-party/authentication-p256-raw:ratio} of what bare verifications allow.",
)

BLOCKS = (Block("summary", texts=SUMMARY),)
