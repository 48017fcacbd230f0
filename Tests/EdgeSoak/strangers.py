#!/usr/bin/env python3
"""Plays the table "Who can make whom wait" of docs/security/threat-model.md against one server with its default settings.

All attacks go on at once, beside people who sign in: on a page with a phone, by CIBA, in-band and by password. A trusted
proxy says from which addresses they come; connections and the in-band phone use addresses of loopback. The last line is
JSON; the exit code is 0 only when each kind of sign-in succeeded at least 99 times of 100, and the memory is bounded.
"""

import argparse
import asyncio
import base64
import collections
import hashlib
import itertools
import json
import os
import pathlib
import re
import secrets
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

from edge_soak import Figures
from phone import Phone, Refused
from server import Server

PROXY = "127.0.9.9"
OFFICE = "203.0.113.7"
BACK = "https://shop.example.com/back"
PASSWORD = "correct horse battery staple"
VERIFIER = "v" * 43
CONFIGURATION = """
data-directory: data
instance-name: strangers
password-login: {{ enabled: true }}
authorization: {{ registration: none }}
server: {{ trusted-proxies: ["{proxy}/32"] }}
fido-uaf:
  dispatchers:
    - {{ type: firebase-cloud-messaging, service-account-json: "{account}", endpoint-base-url: "{sink}",
        trusted-certificates-file: "{authority}" }}
    - {{ type: link, base-url: "signet://open" }}
    - {{ type: png-qr-code }}
openid: {{ enabled: true }}
"""
# What a server of 20,000 pages and 10,000 connections takes, and what medians vary by.
GROWTH_KIB = 64 * 1024


class Client:
    """Connection of the proxy, on which one exchange follows the other; `sender` is for whom it speaks."""

    def __init__(self, server, sender):
        self.server, self.sender, self.reader, self.writer = server, sender, None, None

    async def ask(self, method, path, form=None, body=None, **fields):
        """Status, header fields and body of an answer."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(
                "127.0.0.1", self.server.port, ssl=self.server.trust, server_hostname="127.0.0.1",
                local_addr=(PROXY, 0), limit=1 << 20)
        fields = {"Host": self.server.issuer[8:], "X-Forwarded-For": self.sender, "Accept": "*/*", **fields}
        if form is not None:
            body = urllib.parse.urlencode(form)
            fields["Content-Type"] = "application/x-www-form-urlencoded"
        octets = (body or "").encode()
        if method == "POST":
            fields["Content-Length"] = len(octets)
        head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items())
        try:
            self.writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + octets)
            lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            answer = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
            content = await self.reader.readexactly(int(answer.get("content-length", 0)))
        except BaseException:
            self.close()
            raise
        if answer.get("connection") == "close":
            self.close()
        return int(lines[0].split()[1]), answer, content

    def close(self):
        """Ends the connection; the next exchange opens another one."""
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None


def require(answer, *statuses):
    """The fields and the body of an answer with one of these statuses."""
    status, fields, body = answer
    if status not in statuses:
        raise Refused(f"HTTP {status}")
    return fields, body


class Page:
    """A sign-in page in a browser."""

    def __init__(self, client):
        self.client = client

    async def open(self):
        """Follows the link of the site."""
        challenge = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
        query = urllib.parse.urlencode({
            "client_id": "shop", "response_type": "code", "redirect_uri": BACK, "scope": "openid", "state": "s", "nonce": "n",
            "code_challenge": challenge, "code_challenge_method": "S256"})
        fields, _ = require(await self.client.ask("GET", f"/oauth2/authorize?{query}"), 303)
        self.path, self.cookie = fields["location"], fields["set-cookie"].split(";")[0]
        return self

    async def show(self):
        """Shows the page, which begins a code; its state."""
        _, html = require(await self.client.ask("GET", self.path, Cookie=self.cookie), 200)
        self.token = re.search(rb'name="form_token"\s+value="([^"]+)"', html)[1].decode()
        return await self.state()

    async def state(self, **query):
        """State of the sign-in, at once or after a wait."""
        path = self.path.replace("/sign-in/", "/sign-in-status/") + "?" + urllib.parse.urlencode(query)
        return json.loads(require(await self.client.ask("GET", path, Cookie=self.cookie), 200)[1])

    async def act(self, **form):
        """Posts the form of the page; where it leads."""
        fields, _ = require(await self.client.ask(
            "POST", self.path, {"form_token": self.token, **form}, Cookie=self.cookie, Origin=self.client.server.issuer), 303)
        return fields["location"]


class Stage:
    """Server, push sink, and the people."""

    def __init__(self, programs, folder):
        self.programs, self.folder = pathlib.Path(programs), pathlib.Path(folder)
        (self.folder / "pin").write_text("492716")
        (self.folder / "pin").chmod(0o600)
        ready = self.folder / "sink.json"
        self.sink = subprocess.Popen(
            [self.programs / "signet-push-sink", "--port", "0", "--data-directory", self.folder / "sink", "--ready-file", ready],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not ready.exists() or not ready.read_text().strip():
            time.sleep(0.1)
        self.sink_ready = sink = json.loads(ready.read_text())
        self.server = Server(self.programs / "signet-server", folder, CONFIGURATION.format(
            proxy=PROXY, account=sink["serviceAccount"], sink=sink["url"], authority=sink["caFile"]))
        self.server.add_users(["anna", "ben", "carl", "dora"])
        self.secret = self.folder / "shop.secret"
        self.administer("client add", "-m", "a test", "--name", "Shop", "--secret-file", self.secret, "--redirect", BACK, "--ciba", "poll", "shop")
        self.administer("client add", "-m", "a test", "--name", "Kiosk", "--public", "--redirect", BACK, "kiosk")
        self.server.start()
        self.server.issuer = f"https://127.0.0.1:{self.server.port}"
        for name in ("anna", "dora"):
            self.device(name, "init", "--server", self.server.issuer, "--ca", self.folder / "data/tls/ca.pem", "--keys",
                        "software", "--push-sink", sink["url"], "--push-ca", sink["caFile"])
            invitation = self.administer("dispatch register", "-m", "a test", "--user", name, "--dispatcher", "link")
            asyncio.run(self.confirm(name, "open", invitation["link"]))

    def administer(self, command, *words):
        """Result of a command of the administrator."""
        done = subprocess.run(
            [self.programs / "signet-server", *command.split(), "--config", self.server.configuration, "--format", "json",
             *words], cwd=self.folder, check=True, capture_output=True)
        return json.loads(done.stdout)["result"]

    def device(self, name, command, *words):
        """Runs a command of a phone that needs no PIN."""
        subprocess.run([self.programs / "signet", "device", command, "--device", self.folder / name, *words], check=True,
                       capture_output=True)

    async def confirm(self, name, command, link=None):
        """Confirms a link, or what waits for the phone."""
        words = []
        if link:
            (self.folder / f"{name}.link").write_text(link)
            words = [self.folder / f"{name}.link"]
        process = await asyncio.create_subprocess_exec(
            self.programs / "signet", "device", command, "--device", self.folder / name, "--pin-file", self.folder / "pin",
            *words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        said = await process.communicate()
        if process.returncode:
            raise Refused(f"{name} {command}: {b''.join(said).decode()[-160:]}")

    def basic(self):
        """Field that proves the shop."""
        return "Basic " + base64.b64encode(f"shop:{self.secret.read_text().strip()}".encode()).decode()

    def stop(self):
        """Ends everything; the exit code of the server."""
        self.sink.terminate()
        self.sink.wait()
        return self.server.stop()


# People. Each takes the seconds of one sign-in, and throws when it fails.

def timed(body):
    """A sign-in with its time."""
    async def sign_in():
        start = time.monotonic()
        await asyncio.wait_for(body(), 30)
        return time.monotonic() - start
    return sign_in


def people(stage):
    """Sign-ins by their kind; the page's and the password's address is the attackers', too."""
    server = stage.server
    browser, office, shop, system = (Client(server, sender) for sender in (OFFICE, OFFICE, "192.0.2.80", "192.0.2.80"))

    async def page():
        sign_in = await Page(browser).open()
        await stage.confirm("dora", "open", (await sign_in.show())["link"])
        state = await sign_in.state(known="waiting", wait=5000)
        while state["state"] == "shown":
            state = await sign_in.state(known="shown", wait=5000)
        answer = urllib.parse.parse_qs(urllib.parse.urlsplit(await sign_in.act(action="finish")).query)
        require(await shop.ask("POST", "/oauth2/token", {
            "grant_type": "authorization_code", "code": answer["code"][0], "redirect_uri": BACK, "code_verifier": VERIFIER,
        }, Authorization=stage.basic()), 200)

    async def ciba():
        begun = json.loads(require(await system.ask(
            "POST", "/oauth2/bc-authorize", {"scope": "openid", "login_hint": "anna"}, Authorization=stage.basic()), 200)[1])
        await stage.confirm("anna", "approve")
        require(await system.ask("POST", "/oauth2/token", {
            "grant_type": "urn:openid:params:grant-type:ciba", "auth_req_id": begun["auth_req_id"]},
            Authorization=stage.basic()), 200)

    async def password():
        require(await office.ask(
            "POST", "/auth/pwd", {"isiwebuserid": "ben", "isiwebpasswd": PASSWORD}, Origin=server.issuer), 200)

    return {"page": timed(page), "ciba": timed(ciba), "password": timed(password)}


# Strangers. Each makes one attempt; the figure is their pause.

def strangers(stage):
    """Attacks by their name: what one attempt does, and seconds between two."""
    server = stage.server
    clients = {name: Client(server, OFFICE) for name in (
        "line", "botnet", "neighbour", "par", "push", "password", "report", "token")}
    numbers = itertools.count()

    def sender(name, address):
        clients[name].sender = address
        return clients[name]

    async def line():
        await Page(sender("line", f"2001:db8:0:{next(numbers) % 101:x}::1")).open()

    async def botnet():
        number = next(numbers) % 3000
        await Page(sender("botnet", f"198.51.{number // 250}.{number % 250}")).open()

    async def neighbour():
        await Page(clients["neighbour"]).open()

    async def par():
        require(await sender("par", f"198.51.100.{next(numbers) % 250}").ask("POST", "/oauth2/par", {
            "client_id": "kiosk", "response_type": "code", "redirect_uri": BACK, "scope": "openid", "code_challenge": "c" * 43,
            "code_challenge_method": "S256"}), 201)

    async def push():
        page = await Page(sender("push", f"198.18.0.{next(numbers) % 250}")).open()
        await page.show()
        await page.act(action="push", username="anna")

    async def password():
        require(await sender("password", f"2001:db8:1:{next(numbers) % 60000:x}::1").ask(
            "POST", "/auth/pwd", {"isiwebuserid": "ben", "isiwebpasswd": "wrong"}, Origin=server.issuer), 401)

    async def report():
        page = await Page(clients["report"]).open()
        link = urllib.parse.urlsplit((await page.show())["link"])
        envelope = urllib.parse.parse_qs(link.query)["dispatchTokenResponse"][0]
        envelope = json.loads(base64.urlsafe_b64decode(envelope + "=" * (-len(envelope) % 4)))
        _, body = require(await clients["report"].ask(
            "POST", "/nevisfido/token/redeem/authentication", body=json.dumps({"token": envelope["nma_data"]["token"]}),
            Content_Type="application/json"), 200)
        request = json.loads(json.loads(body)["uafRequest"])[0]
        message = [{"header": request["header"], "fcParams": "e30", "assertions": []}]
        require(await clients["report"].ask(
            "POST", "/nevisfido/uaf/1.1/authentication", Content_Type="application/fido+uaf", body=json.dumps({
                "uafResponse": json.dumps(message), "context": json.dumps({"reported": True, "clientErrorCode": 3})})), 200)

    async def token():
        require(await clients["token"].ask(
            "POST", "/nevisfido/token/redeem/authentication", body=json.dumps({"token": secrets.token_hex(18)}),
            Content_Type="application/json"), 200)

    return {"line": (line, 0.01), "botnet": (botnet, 0.01), "neighbour": (neighbour, 0.03), "par": (par, 0.02),
            "push": (push, 5), "password": (password, 0.3), "report": (report, 0.3), "token": (token, 0.05)}


async def hold(server, source, is_over, tally):
    """Holds a connection on which nothing comes, and takes another one when it is closed."""
    while not is_over():
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port, local_addr=(source, 0))
            tally["connections opened"] += 1
            await reader.read()
            writer.close()
        except OSError:
            pass
        await asyncio.sleep(1)


async def soak(stage, options):
    """Plays everything; the report."""
    server, end, tally = stage.server, time.monotonic() + options.minutes * 60, collections.Counter()
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)  # connections that attackers lose

    def is_over():
        return time.monotonic() > end or not server.lives

    phone = Phone(server, "carl", "127.0.1.1")
    await phone.register()
    kinds = people(stage) | {"in-band": phone.sign_in}
    await kinds["password"]()  # from then on the office is a network of ben

    async def attack(name, body, pause):
        while not is_over():
            try:
                await asyncio.wait_for(body(), 30)
                tally[name] += 1
            except Exception as error:  # what a stranger meets is counted only
                tally[f"{name}: {type(error).__name__} {error}"[:60]] += 1
            await asyncio.sleep(pause)

    attacks = [attack(name, body, pause) for name, (body, pause) in strangers(stage).items()]
    attacks += [hold(server, f"127.0.2.{number % 4 + 1}", is_over, tally) for number in range(options.connections)]
    tasks = [asyncio.create_task(task) for task in attacks]
    figures, samples = {name: Figures() for name in kinds}, []

    async def again(name):
        while not is_over():
            await figures[name].take(kinds[name])
            await asyncio.sleep(1)

    async def watch():
        while not is_over():
            samples.append(server.resident_kib())
            await asyncio.sleep(2)

    await asyncio.sleep(2)
    await asyncio.gather(watch(), *(again(name) for name in kinds))
    lives, counted = server.lives, server.counted() if server.lives else {}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    code, third = stage.stop(), len(samples) // 3
    growth = statistics.median(samples[2 * third:]) - statistics.median(samples[third:2 * third])
    with sqlite3.connect(stage.folder / "data/signet.sqlite") as database:
        records, octets = database.execute("SELECT COUNT(*), SUM(LENGTH(event)) FROM audit_records").fetchone()
        pages = database.execute("SELECT COUNT(*) FROM authorization_sessions").fetchone()[0]
    held = {f"{name}: at least 99 of 100 sign in": figure.seconds and figure.share >= 0.99 for name, figure in figures.items()}
    held |= {
        f"memory grows by less than {GROWTH_KIB} KiB in the last third": growth < GROWTH_KIB,
        "the server lives, counts no 500, and ends with 0": lives and not counted.get("500") and code == 0,
    }
    return {
        "soak": "strangers", "held": all(held.values()), "checks": {name: bool(value) for name, value in held.items()},
        "people": {name: figure.json for name, figure in figures.items()}, "strangers": dict(sorted(tally.items())),
        "memory_kib": {"first": samples[0], "last": samples[-1], "most": max(samples), "growth_in_last_third": growth},
        "disk_kib": sum(file.stat().st_size for file in (stage.folder / "data").rglob("*") if file.is_file()) // 1024,
        "audit": {"records": records, "octets": octets}, "pages_kept": pages, "errors": server.errors(),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", required=True, help="folder of signet, signet-server and signet-push-sink")
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--connections", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="signet-strangers-") as folder:
        stage = Stage(os.path.realpath(options.programs), folder)
        try:
            report = asyncio.run(soak(stage, options))
        finally:
            stage.stop()
    for what, held in report["checks"].items():
        print(f"soak: {'held  ' if held else 'BROKEN'} {what}", file=sys.stderr)
    print(json.dumps(report))
    return 0 if report["held"] else 1


if __name__ == "__main__":
    sys.exit(main())
