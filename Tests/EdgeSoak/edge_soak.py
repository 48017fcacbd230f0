#!/usr/bin/env python3
"""Attacks a release build of signet-server over real sockets and says what it and its honest phones made of it.

First strangers send random and mutated requests while one phone signs in again and again; then slow connections from one
address take whatever they get, while honest phones sign in, from addresses of their own and from the attacker's. The last
line is JSON; the exit code is 0 only when everything held. It speaks to loopback only.
"""

import argparse
import asyncio
import collections
import json
import random
import statistics
import sys
import tempfile
import time

import hostile
from phone import Phone
from server import CONFIGURATION, Server

STRANGERS = 24
ATTACKER = "127.0.0.2"
USERS = 20
# Growth that counts as flat: what sign-ins beside the attack write stays in the page cache of the database, which is
# bounded (64 MiB for the writer, 16 for each reader), some 15 KiB for each 1,000 requests; and what medians vary by.
GROWTH_KIB_PER_1000 = 32
NOISE_KIB = 1_024
SAMPLES_IN_THIRD = 10


def percentile(values, share):
    return round(sorted(values)[min(len(values) - 1, int(len(values) * share))] * 1000, 1) if values else None


class Figures:
    """Sign-ins of honest phones."""

    def __init__(self):
        self.seconds, self.failures = [], collections.Counter()

    async def take(self, sign_in):
        try:
            self.seconds.append(await sign_in())
        except Exception as error:  # whatever a phone meets is a failure of the server
            self.failures[f"{type(error).__name__}: {error}"[:120]] += 1

    @property
    def share(self):
        """Share of the sign-ins that succeeded."""
        return len(self.seconds) / max(1, len(self.seconds) + sum(self.failures.values()))

    @property
    def json(self):
        return {"sign_ins": len(self.seconds), "failed": sum(self.failures.values()),
                "failures": dict(self.failures.most_common(4)),
                "p50_ms": percentile(self.seconds, 0.5), "p99_ms": percentile(self.seconds, 0.99)}


def flatness(samples, total):
    """Growth of the resident memory from the middle third of the requests to the last one, by their medians.

    The first third is warm-up: caches and the arenas of the allocator fill. What grows with the requests shows as a
    slope, whatever single samples do. Thirds with too few samples to judge are not flat.
    """
    first, second = total / 3, 2 * total / 3
    middle = [(count, size) for count, size in samples if first <= count < second]
    last = [(count, size) for count, size in samples if count >= second]
    if min(len(middle), len(last)) < SAMPLES_IN_THIRD:
        return {"flat": False, "samples": [len(middle), len(last)]}
    thousands = (statistics.mean(count for count, _ in last) - statistics.mean(count for count, _ in middle)) / 1000
    before, after = (statistics.median(size for _, size in third) for third in (middle, last))
    limit = NOISE_KIB + GROWTH_KIB_PER_1000 * thousands
    return {"flat": after - before <= limit, "middle_third_kib": before, "last_third_kib": after,
            "growth_kib": after - before, "limit_kib": round(limit),
            "slope_kib_per_1000": round((after - before) / thousands, 1) if thousands else None}


async def requests(server, options, end):
    """The strangers' phase."""
    tally, honest, samples = hostile.Tally(), Figures(), []
    phone = Phone(server, "phone0", "127.0.1.250", patience=20)
    await phone.register()
    first = server.resident_kib()

    def is_over():
        return time.monotonic() > end or not server.lives

    async def sign_in():
        while tally.requests < options.requests and not is_over():
            await honest.take(phone.sign_in)
            await asyncio.sleep(0.05)

    async def watch():
        while tally.requests < options.requests and not is_over():
            samples.append((tally.requests, server.resident_kib()))
            await asyncio.sleep(0.5)

    strangers = [
        hostile.stranger(server, random.Random(options.seed * 1000 + number), tally, options.requests, is_over, "127.0.0.3")
        for number in range(STRANGERS)
    ]
    await asyncio.gather(sign_in(), watch(), *strangers)
    memory = flatness(samples, tally.requests) | {"start_kib": first, "end_kib": server.resident_kib()}
    figures = {
        "requests": tally.requests, "connections": tally.connections, "statuses": dict(sorted(tally.statuses.items())),
        "findings": tally.findings, "memory": memory, "sign_in": honest.json,
    }
    held = {
        "all requests were sent in time": tally.requests >= options.requests,
        "no answer was a fault, ambiguous or behind the last": not tally.findings,
        "memory is flat": memory["flat"],
        "every sign-in beside it succeeded": not honest.failures and bool(honest.seconds),
    }
    return figures, held


async def slow(server, options, seconds):
    """The slow connections' phase."""
    phones = [Phone(server, f"phone{number % USERS}", f"127.0.1.{number + 1}") for number in range(options.phones)]
    neighbours = [Phone(server, f"phone{number}", ATTACKER) for number in range(10)]
    for phone in phones + neighbours:
        await phone.register()
    end = time.monotonic() + seconds
    seen, honest, beside = {}, Figures(), Figures()
    attackers = [
        asyncio.create_task(hostile.slow(server, number, ATTACKER, lambda: time.monotonic() > end, seen))
        for number in range(options.slow)
    ]
    # The attack stands before the first sign-in.
    await asyncio.sleep(min(10, seconds / 4))
    descriptors = server.descriptors() if server.lives else 0

    async def again(phone, figures):
        while time.monotonic() < end - 12 and server.lives:
            await figures.take(phone.sign_in)
            await asyncio.sleep(random.random() * 4)

    await asyncio.gather(
        *(again(phone, honest) for phone in phones), *(again(phone, beside) for phone in neighbours))
    for attacker in attackers:
        attacker.cancel()
    await asyncio.gather(*attackers, return_exceptions=True)
    figures = {
        "slow_connections": options.slow, "seen_by_attacker": seen, "descriptors_under_attack": descriptors,
        "honest": honest.json, "behind_the_attackers_address": beside.json,
    }
    return figures, {"no honest phone failed": not honest.failures and len(honest.seconds) >= options.phones}


def judge(loop, context):
    """Says what no client waited for, except for connections that attackers lost after their time was over."""
    if not isinstance(context.get("exception"), OSError):
        loop.default_exception_handler(context)


async def soak(options):
    asyncio.get_running_loop().set_exception_handler(judge)
    with tempfile.TemporaryDirectory(prefix="signet-edge-") as folder:
        server = Server(options.server, folder, CONFIGURATION % {"connections": options.connections})
        server.add_users(f"phone{number}" for number in range(USERS))
        server.start()
        try:
            slow_seconds = min(90, max(30, options.minutes * 60 / 4))
            end = time.monotonic() + options.minutes * 60 - slow_seconds
            first, held = await requests(server, options, end)
            if server.lives:
                second, more = await slow(server, options, slow_seconds)
                held |= more
            else:
                second = {}
            held["the server lives"] = server.lives
            counted = server.counted() if server.lives else {}
            held["the metrics count no 500"] = not counted.get("500")
            code = server.stop()
            errors = server.errors()
            held["the server ends with 0"] = code == 0
            held["the log has no line at level error"] = not errors
        finally:
            server.stop()
    report = {"soak": "edge", "seed": options.seed, "held": all(held.values()), "checks": held, "hostile": first,
              "slow": second, "metrics": counted, "errors": errors}
    say(report)
    return 0 if report["held"] else 1


def say(report):
    for what, held in report["checks"].items():
        print(f"soak: {'held  ' if held else 'BROKEN'} {what}", file=sys.stderr)
    memory = report["hostile"]["memory"]
    print(f"soak: memory grew by {memory.get('growth_kib')} KiB from the middle third of the requests to the last "
          f"({memory.get('slope_kib_per_1000')} KiB for each 1,000 requests); the limit is {memory.get('limit_kib')} KiB",
          file=sys.stderr)
    beside = report["slow"].get("behind_the_attackers_address")
    if beside:
        print(f"soak: behind the attacker's own address {beside['sign_ins']} sign-ins succeeded and {beside['failed']} "
              f"failed: {beside['failures'] or 'none'}", file=sys.stderr)
    print(json.dumps(report))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True, help="program of a release build")
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--slow", type=int, default=2_000)
    parser.add_argument("--phones", type=int, default=200)
    parser.add_argument("--connections", type=int, default=1_000, help="max-connections of the server")
    parser.add_argument("--seed", type=int, default=1)
    return asyncio.run(soak(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
