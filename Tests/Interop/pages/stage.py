"""Processes of a run: a server with its push sink, phones in the browser, the example shop, and signet try."""
import contextlib
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from browser import Browser, Missing, key_hash

ROOT = Path(__file__).resolve().parents[3]
SETTINGS = """data-directory: data
instance-name: local
fido-uaf:
  dispatchers:
    - {{ type: firebase-cloud-messaging, service-account-json: "{account}", endpoint-base-url: "{sink}",
        trusted-certificates-file: "{authority}" }}
    - {{ type: link, base-url: "signet://open" }}
    - {{ type: png-qr-code }}
openid:
  enabled: true
  code-rotation: 15s{openid}
server: {{ host: {host} }}
pages:
  service-name: "Example Login"
recovery:
  enabled: true
"""


def free_port():
    """A port of loopback that no program listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Stage:
    """Folder with the processes and browsers of a part; leaving it ends them all."""

    def __init__(self, programs):
        self.programs = Path(programs)
        self.folder = Path(tempfile.mkdtemp(prefix="signet-pages-"))
        self.processes, self.browsers, self.keys = [], [], []
        self.issuer = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for browser in self.browsers:
            with contextlib.suppress(Exception):  # one that has crashed is ended with its driver
                browser.close()
        for process in reversed(self.processes):
            self.end(process)
        shutil.rmtree(self.folder, ignore_errors=True)

    # Processes

    def run(self, arguments, name, environment=None, directory=None, lines=False):
        """Starts a process in a session of its own, whose output goes to a file, or comes back with `lines`."""
        log = open(self.folder / f"{name}.log", "ab")
        process = subprocess.Popen(
            [str(part) for part in arguments], stdin=subprocess.PIPE if lines else subprocess.DEVNULL,
            stdout=subprocess.PIPE if lines else log, stderr=log, cwd=directory or self.folder, start_new_session=True,
            env={**os.environ, "NO_COLOR": "1", **(environment or {})}, text=lines or None, bufsize=1 if lines else -1)
        log.close()
        self.processes.append(process)
        return process

    def end(self, process, patience=10):
        """Ends a process with everything that it has started."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(process.pid, number)
            except ProcessLookupError:
                break
            try:
                process.wait(patience)
            except subprocess.TimeoutExpired:
                continue
        for pipe in (process.stdin, process.stdout):
            if pipe:
                pipe.close()
        if process in self.processes:
            self.processes.remove(process)

    def ready(self, process, path, name, seconds=60):
        """Content of a file that a process writes when it is ready."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if path.exists() and path.stat().st_size:
                return json.loads(path.read_text())
            if process.poll() is not None:
                break
            time.sleep(0.1)
        log = self.folder / f"{name}.log"
        raise Missing(f"{name} is not ready: {log.read_text(errors='replace')[-400:] if log.exists() else ''}")

    def start_server(self, settings="", openid="", host="127.0.0.1"):
        """Starts push sink and server, with further settings, also of the provider; what the server says when it is ready."""
        sink_ready = self.folder / "sink.json"
        sink = self.run([self.programs / "signet-push-sink", "--port", "0", "--data-directory", self.folder / "sink",
                         "--ready-file", sink_ready], "sink")
        self.sink = self.ready(sink, sink_ready, "sink")
        text = SETTINGS.format(account=self.sink["serviceAccount"], sink=self.sink["url"], authority=self.sink["caFile"],
                               openid=openid, host=host)
        (self.folder / "server.yml").write_text(text + settings)
        ready = self.folder / "server.json"
        server = self.run([self.programs / "signet-server", "serve", "--config", self.folder / "server.yml", "--port",
                           "0", "--management-port", "0", "--ready-file", ready], "server")
        opened = self.ready(server, ready, "server")
        self.trust(opened["port"], host)
        self.issuer = f"https://{host}:{opened['port']}"
        return opened

    def trust(self, port, host="127.0.0.1"):
        """Lets the browsers that are opened from now on trust the key of a server of this machine."""
        self.keys.append(key_hash(ssl.get_server_certificate((host, port))))

    @property
    def authority(self):
        """Certificate of the authority of the server."""
        return self.folder / "data/tls/ca.pem"

    def administer(self, *words):
        """Result of a command of the server."""
        command = [str(self.programs / "signet-server"), *words[0].split(), "--config", str(self.folder / "server.yml"),
                   "--format", "json", *map(str, words[1:])]
        outcome = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=60, check=False)
        try:
            answer = json.loads(outcome.stdout)
        except ValueError:
            answer = {}
        if not answer.get("ok"):
            raise Missing(f"{' '.join(command[1:3])} failed: {outcome.stdout[-300:]} {outcome.stderr[-300:]}")
        return answer["result"]

    def invite(self, user):
        """Link of an invitation."""
        return self.administer("dispatch register", "-m", "a test", "--user", user, "--dispatcher", "link")["link"]

    def start_phone(self, name, push=True, port=0):
        """Address of the page of a new phone, which lets in once."""
        ready = self.folder / f"{name}.json"
        arguments = [self.programs / "signet", "phone", "--folder", self.folder / name, "--vault", "software", "--server",
                     self.issuer, "--ca", self.authority, "--ready-file", ready, "--port", port]
        if push:
            arguments += ["--push-sink", self.sink["url"], "--push-ca", self.sink["caFile"]]
        return self.ready(self.run(arguments, name), ready, name)["address"]

    def start_shop(self):
        """Address of the example shop, as a client of the server."""
        port, secret = free_port(), self.folder / "shop-secret"
        self.administer("client add", "-m", "a test", "--name", "Example Shop", "--redirect", f"http://localhost:{port}/callback",
                        "--secret-file", secret, "--ciba", "poll", "--confirmation", "--", "shop")
        ready = self.folder / "shop.json"
        process = self.run(["python3", "-B", ROOT / "packaging/shop/shop.py"], "shop", {
            "ISSUER": self.issuer, "CLIENT_SECRET_FILE": str(secret), "CA_FILE": str(self.authority), "PORT": str(port),
            "READY_FILE": str(ready)})
        self.ready(process, ready, "shop")
        return f"http://localhost:{port}/"

    # Browsers

    def browser(self, name, **settings):
        """A new window with a profile of its own."""
        browser = Browser(self.folder / f"profile-{name}", keys=self.keys, **settings)
        self.browsers.append(browser)
        return browser


def line_with(process, pattern, seconds=90):
    """First match of a pattern in what a process says from now on; the process is killed when it does not come."""
    alarm = threading.Timer(seconds, process.kill)
    alarm.start()
    try:
        for line in process.stdout:
            found = re.search(pattern, line)
            if found:
                return found
        raise Missing(f"no line with {pattern}")
    finally:
        alarm.cancel()
