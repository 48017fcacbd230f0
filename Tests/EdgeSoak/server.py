"""signet-server as a process of its own, on a data folder that goes with it."""

import json
import os
import pathlib
import re
import ssl
import subprocess
import time
import urllib.request

CONFIGURATION = """
data-directory: data
instance-name: edge
password-login: { enabled: true }
authorization: { registration: none, max-credentials: 100 }
server:
  max-connections: %(connections)d
  connection-timeout: 10s
  body-timeout: 5s
  rate-limit:
    per-address: { per-second: 1000000, burst: 1000000 }
    per-user: { per-second: 1000000, burst: 1000000 }
"""


class Server:
    """A server that has announced its ports."""

    def __init__(self, program, folder, configuration):
        self.program, self.folder = program, pathlib.Path(folder)
        self.configuration = self.folder / "server.yml"
        self.configuration.write_text(configuration)
        self.log_file = self.folder / "log"
        self.process = None
        self.trust = None
        self.port = self.management_port = 0

    def add_users(self, names):
        password = self.folder / "password"
        password.write_text("correct horse battery staple\n")
        password.chmod(0o600)
        for name in names:
            subprocess.run(
                [self.program, "users", "add", "-m", "a test", "--config", self.configuration, "--password-file", password, "--", name],
                cwd=self.folder, check=True, capture_output=True)

    def start(self):
        ready = self.folder / "ready.json"
        self.process = subprocess.Popen(
            [self.program, "serve", "--config", self.configuration, "--port", "0", "--management-port", "0",
             "--ready-file", ready],
            cwd=self.folder, stdout=self.log_file.open("ab"), stderr=subprocess.STDOUT)
        end = time.monotonic() + 60
        while not ready.exists() or not ready.read_text().strip():
            if self.process.poll() is not None or time.monotonic() > end:
                raise SystemExit("soak: the server does not start:\n" + self.log_file.read_text()[-2000:])
            time.sleep(0.05)
        announced = json.loads(ready.read_text())
        self.port, self.management_port = announced["port"], announced["managementPort"]
        self.trust = ssl.create_default_context(cafile=announced["caFile"])
        self.stranger = ssl.create_default_context(cafile=announced["caFile"])

    @property
    def lives(self):
        return self.process is not None and self.process.poll() is None

    def stop(self):
        """Ends the server as its operator would; returns its exit code."""
        if self.lives:
            self.process.terminate()
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        return self.process.returncode if self.process else None

    def resident_kib(self):
        try:
            status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return 0
        found = re.search(r"VmRSS:\s+(\d+)", status)
        return int(found[1]) if found else 0

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def counted(self):
        """Answers by HTTP status, as the metrics count them."""
        url = f"http://127.0.0.1:{self.management_port}/metrics"
        text = urllib.request.urlopen(url, timeout=20).read().decode()
        counts = {}
        for status, count in re.findall(r'signet_http_requests_total\{[^}]*status="(\d+)"[^}]*\} (\d+)', text):
            counts[status] = counts.get(status, 0) + int(count)
        return counts

    def errors(self):
        """Lines of the log at level error or above, by their text."""
        found = {}
        for line in self.log_file.read_text(errors="replace").splitlines():
            if '"level":"error"' in line or '"level":"critical"' in line or "Fatal error" in line:
                try:
                    entry = json.loads(line)
                    text = f"{entry.get('message')} {entry.get('error', '')}".strip()
                except ValueError:
                    text = line[:200]
                found[text] = found.get(text, 0) + 1
        return found
