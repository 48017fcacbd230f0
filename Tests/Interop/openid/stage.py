"""A real signet-server with its push service and one virtual phone, all on this machine, for clients of other people."""

import json
import os
import pathlib
import re
import secrets
import socket
import subprocess
import time
from urllib.parse import urlsplit

import requests

from authority import Authority
from document import Document
from expectation import Failure, require, wait_for

USER = "anna"
EMAIL = "anna@example.org"
CONTRACT = pathlib.Path(__file__).parents[3] / "docs/web/openapi.yaml"
SCOPES = ["enroll", "approve", "status", "introspect", "users:read", "users:write", "authenticators:write", "dispatch",
          "recover"]
LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="3"/></svg>'
CONFIGURATION = """\
data-directory: data
instance-name: interop
server:
  rate-limit:
    per-address: {{ per-second: 2000, burst: 20000 }}
password-login:
  enabled: true
fido-uaf:
  dispatchers:
    - {{ type: firebase-cloud-messaging, service-account-json: "{account}", endpoint-base-url: "{sink}",
        trusted-certificates-file: "{sink_authority}" }}
    - {{ type: link, base-url: "signet://open" }}
    - {{ type: png-qr-code }}
out-of-band:
  access-keys:
    - {{ name: interop, key-file: "{key}", scopes: {scopes}, requests-per-second: 1000, burst: 10000 }}
  limits:
    push-back-off: 1s
    one-pending-operation: false
openid:
  enabled: true
  device-bound-sessions: true
relying-party-api:
  enabled: true
recovery:
  enabled: true
pages:
  theme: {{ logo-file: logo.svg }}
conformance:
  enabled: true
outgoing:
  allowed-networks: ["127.0.0.0/8"]
  authority-files: ["{peers}"]
  retries: [1s, 1s, 1s]
"""


def free_port():
    """A port of the loopback interface that no program listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Stage:
    """Server, push service and phone; ends with the `with` block."""

    def __init__(self, programs, folder):
        self.programs, self.folder = pathlib.Path(programs), pathlib.Path(folder)
        self.authority = Authority(self.folder / "peers")
        self.port = free_port()
        self.issuer = f"https://127.0.0.1:{self.port}"
        self.ca_file = str(self.folder / "data/tls/ca.pem")
        self.document = Document(CONTRACT.read_text(encoding="utf-8"))
        self.processes = []

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    # Processes

    def start(self):
        """Starts everything, adds the user and registers their phone."""
        sink = self.launch("signet-push-sink", ["--port", "0", "--data-directory", str(self.folder / "sink")])
        key = self.folder / "interop.key"
        self.run("signet-server", ["access-key", "new", "--file", str(key), "--format", "json"])
        self.access_key = key.read_text().strip()
        self.configuration = self.folder / "server.yml"
        (self.folder / "logo.svg").write_text(LOGO)
        self.configuration.write_text(CONFIGURATION.format(
            account=sink["serviceAccount"], sink=sink["url"], sink_authority=sink["caFile"], key=key,
            scopes=json.dumps(SCOPES), peers=self.authority.file))
        ready = self.launch("signet-server", [
            "serve", "--config", str(self.configuration), "--port", str(self.port), "--management-port", "0"])
        self.management = f"http://127.0.0.1:{ready['managementPort']}"
        self.password_file = self.secret("password", secrets.token_urlsafe(16))
        self.pin_file = self.secret("pin", "492716")
        self.administer("users add", [
            "-m", "a test", "--password-file", self.password_file, "--full-name", "Anna Muster", "--given-name", "Anna",
            "--family-name", "Muster", "--email", EMAIL, "--email-verified"], USER)
        self.phone("init", [
            "--server", self.issuer, "--ca", self.ca_file, "--name", "Interop", "--keys", "software",
            "--push-sink", sink["url"], "--push-ca", sink["caFile"]])
        invitation = self.administer(
            "dispatch register", ["-m", "a test", "--user", USER, "--dispatcher", "link"])
        self.confirm(invitation["link"])

    def launch(self, name, arguments):
        """Starts a server in the background; what it announces once it is ready."""
        ready = self.folder / f"{name}-ready.json"
        with open(self.folder / f"{name}.log", "wb") as log:
            process = subprocess.Popen(
                [self.programs / name, *arguments, "--ready-file", str(ready)], cwd=self.folder, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log)
        self.processes.append(process)

        def announced():
            require(process.poll() is None, f"{name} has ended with code {process.returncode}: {self.log(name)}")
            try:
                return json.loads(ready.read_text())
            except (FileNotFoundError, ValueError):
                return None
        return wait_for(announced, f"{name} is not ready", seconds=180)

    def log(self, name):
        """End of what a server has said."""
        return (self.folder / f"{name}.log").read_text(errors="replace")[-2000:]

    def ended(self):
        """Says which of the servers has ended before its time, and how."""
        codes = {pathlib.Path(process.args[0]).name: process.poll() for process in self.processes}
        return "".join(
            f"; {name} has ended with code {code}: {self.log(name)}" for name, code in codes.items() if code is not None)

    def stop(self):
        """Ends every process; kills what does not end within ten seconds."""
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.processes.clear()

    def run(self, name, arguments):
        """Runs a command to its end; member `result` of its answer. Throws Failure when it refuses."""
        done = subprocess.run(
            [self.programs / name, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=120, check=False)
        try:
            answer = json.loads(done.stdout.strip().splitlines()[-1])
        except (IndexError, ValueError):
            raise Failure(f"{name} {arguments[0]} gave no answer: {done.stderr[-500:]}") from None
        require(done.returncode == 0, f"{name} {arguments[0]}: {answer.get('error', {}).get('message')}")
        return answer["result"]

    def administer(self, command, arguments, name=None):
        """Runs a command of the administrator."""
        names = ["--", name] if name else []
        return self.run("signet-server", [
            *command.split(), "--config", str(self.configuration), "--format", "json", *arguments, *names])

    def phone(self, command, arguments):
        """Runs a command of the phone."""
        return self.run("signet", [
            "device", command, "--device", str(self.folder / "phone"), "--format", "json", *arguments])

    def secret(self, name, text):
        """Writes a secret to a file that only its owner may read; its path."""
        path = self.folder / name
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        return str(path)

    # Clients and the person

    def add_client(self, name, options):
        """Adds a client with a secret, and waits until the server knows of it; the secret."""
        file = self.folder / f"{name}.secret"
        self.administer("client add", ["-m", "a test", "--name", f"The {name} site", "--secret-file", str(file), *options], name)
        time.sleep(1)
        return file.read_text().strip()

    def confirm(self, link):
        """Opens a link on the phone and confirms with the PIN."""
        return self.phone("open", [self.secret("link", link), "--pin-file", self.pin_file])

    def scan(self, picture):
        """Scans the picture of a QR code (PNG) with the phone and confirms with the PIN."""
        path = self.folder / "code.png"
        path.write_bytes(picture)
        return self.phone("scan", [str(path), "--pin-file", self.pin_file])

    def approve(self):
        """Confirms on the phone what waits there."""
        return self.phone("approve", ["--pin-file", self.pin_file])

    def deny(self):
        """Declines on the phone what waits there."""
        return self.phone("deny", [])

    def metadata(self):
        """Document of discovery."""
        return self.browser().get(f"{self.issuer}/.well-known/openid-configuration", timeout=30).json()

    def browser(self):
        """A browser with cookies of its own that trusts the server and the peers."""
        bundle = self.folder / "trusted.pem"
        bundle.write_text(pathlib.Path(self.ca_file).read_text() + "\n" + self.authority.file.read_text())
        return self.watched(requests.Session(), str(bundle))

    def watched(self, session, authorities=None):
        """A session of requests that trusts the server, each of whose answers has to be in the OpenAPI document."""
        session.verify = authorities or self.ca_file
        session.trust_env = False  # a bundle that the environment names would be taken instead
        session.hooks["response"].append(self.judge)
        return session

    def judge(self, answer, **_):
        """Throws Failure when an answer of the server stands not in the document."""
        address = urlsplit(answer.request.url)
        if f"{address.scheme}://{address.netloc}" == self.issuer:
            operation = self.document.operation(answer.request.method, address.path)
            require(operation or answer.status_code in (404, 405), f"{answer.request.method} {address.path} is no route")
            if operation:
                operation.judge(answer)

    def leave(self, browser):
        """Ends the session of a browser at the provider, as its person does."""
        address = self.metadata()["end_session_endpoint"]
        token = form_token(browser.get(address, timeout=30).text)
        answer = browser.post(
            address, data={"action": "logout", "form_token": token}, headers={"Origin": self.issuer},
            allow_redirects=False, timeout=30)
        require(answer.status_code == 200, f"the logout was answered with {answer.status_code}")


def form_token(page):
    """Token of the first form of a page."""
    token = re.search(r'name="form_token"\s+value="([^"]+)"', page)
    require(token, "the page has no form")
    return token.group(1)


class SignInPage:
    """The sign-in page of the server, in one browser."""

    def __init__(self, browser, issuer, address):
        """Follows the address of an authorization request to the page."""
        self.browser, self.issuer = browser, issuer
        answer = browser.get(address, allow_redirects=False, timeout=30)
        require(answer.status_code == 303, f"authorization answered {answer.status_code}")
        place = answer.headers["Location"]
        self.end = place if "/sign-in/" not in place else None
        self.address = issuer + place if place.startswith("/") else place
        self.session = self.address.rsplit("/", 1)[1]

    def show(self):
        """Text of the page."""
        answer = self.browser.get(self.address, timeout=30)
        require(answer.status_code == 200, f"the sign-in page answered {answer.status_code}")
        return answer.text

    def status(self, **query):
        """What the script of the page is told."""
        return self.browser.get(f"{self.issuer}/sign-in-status/{self.session}", params=query, timeout=60).json()

    def picture(self):
        """QR code of the page as PNG."""
        self.show()
        answer = self.browser.get(
            f"{self.issuer}/sign-in-code/{self.session}", params={"round": self.status()["round"]}, timeout=30)
        require(answer.status_code == 200, f"the QR code answered {answer.status_code}")
        return answer.content

    def link(self):
        """Link for the phone."""
        self.show()
        link = self.status().get("link")
        require(link, "the page has no link for the phone")
        return link

    def act(self, action):
        """Sends a form of the page; the address to which the answer leads."""
        answer = self.browser.post(
            self.address, data={"action": action, "form_token": form_token(self.show())}, headers={"Origin": self.issuer},
            allow_redirects=False, timeout=30)
        require(answer.status_code == 303, f"{action} answered {answer.status_code}")
        return answer.headers["Location"]

    def finish(self):
        """Waits until the phone has confirmed, and goes on; the address of the client to which the browser is sent back."""
        wait_for(
            lambda: self.status(known="waiting", wait="5000").get("state") == "confirmed", "no phone has confirmed")
        return self.act("finish")
