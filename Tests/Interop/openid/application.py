"""The program of a recipe: a site or an application that runs in a folder of its own and signs people in at the server."""

import os
import pathlib
import shutil
import string
import subprocess
import tempfile

import requests

from expectation import require, wait_for
from stage import free_port

SOURCES = pathlib.Path(__file__).parent
RECIPES = SOURCES / "recipes"


class Application:
    """A process in a folder of its own, and its address."""

    scheme = "https"
    ready = "/"  # what answers without an error once the program serves
    seconds = 120

    def __init__(self, stage, packages, settings, pkce):
        """Chooses a port; packages is the folder of the Python environment, settings the file of the recipe."""
        self.stage, self.packages, self.settings, self.pkce = stage, pathlib.Path(packages), RECIPES / settings, pkce
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="signet-recipe-"))
        self.port = free_port()
        self.origin = f"{self.scheme}://localhost:{self.port}"
        self.process = None

    def stop(self):
        """Ends the program and removes its folder."""
        if self.process:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    # What an application has of its own

    def command(self):
        """The program and its arguments."""
        raise NotImplementedError

    def prepare(self):
        """Makes what has to be there before the start."""

    # The process

    def start(self, client, secret, account, email):
        """Starts the program with the settings of the recipe, and waits until it answers."""
        chain, key = self.stage.authority.issue("recipe")
        self.environment = {
            **os.environ, "PORT": str(self.port), "ORIGIN": self.origin, "CERTIFICATE": str(chain), "KEY": str(key),
            "ISSUER": self.stage.issuer, "CLIENT_ID": client, "CLIENT_SECRET": secret, "PKCE": self.pkce,
            "ACCOUNT": account, "EMAIL": email, "HOME": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1",
            "PATH": f"{self.packages / 'bin'}:{os.environ['PATH']}",
            # The authority of the server is one of its own. A server with a public certificate needs neither.
            "REQUESTS_CA_BUNDLE": self.stage.ca_file, "SSL_CERT_FILE": self.stage.ca_file}
        self.prepare()
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(
                self.command(), cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        browser = self.stage.browser()

        def answers():
            require(self.process.poll() is None, f"it has ended: {self.log()}")
            try:
                return browser.get(self.origin + self.ready, allow_redirects=False, timeout=30).status_code < 400
            except requests.ConnectionError:
                return False
        wait_for(answers, "it does not answer", seconds=self.seconds)

    def log(self):
        """End of what the program has said."""
        if keep := os.environ.get("SIGNET_INTEROP_LOG"):
            shutil.copy(self.folder / "log", keep)
        return (self.folder / "log").read_text(errors="replace")[-1500:]

    def tool(self, name):
        """A program of the Python environment."""
        return str(self.packages / "bin" / name)


class Site(Application):
    """A small site around a library, in one file of the recipes."""

    def command(self):
        return [self.tool("python"), str(SOURCES / "serve.py"), f"recipes.{self.settings.stem}"]


class PgAdmin(Application):
    """pgAdmin 4 as pip installs it."""

    scheme = "http"
    DISTRIBUTION = """\
import os
SERVER_MODE = True
DATA_DIR = os.path.join(os.environ["HOME"], "data")
LOG_FILE = os.path.join(DATA_DIR, "log")
SQLITE_PATH = os.path.join(DATA_DIR, "pgadmin.db")
SESSION_DB_PATH = os.path.join(DATA_DIR, "sessions")
STORAGE_DIR = os.path.join(DATA_DIR, "storage")
AZURE_CREDENTIAL_CACHE_DIR = os.path.join(DATA_DIR, "azure")
KERBEROS_CCACHE_DIR = os.path.join(DATA_DIR, "kerberos")
DEFAULT_SERVER_PORT = int(os.environ["PORT"])
UPGRADE_CHECK_ENABLED = False
"""

    def prepare(self):
        distribution = self.folder / "config_distro.py"
        distribution.write_text(self.DISTRIBUTION, encoding="utf-8")
        self.environment |= {
            "CONFIG_DISTRO_FILE_PATH": str(distribution), "PYTHONPATH": str(self.settings.parent),
            "PGADMIN_SETUP_EMAIL": "admin@example.org", "PGADMIN_SETUP_PASSWORD": os.urandom(24).hex()}

    def command(self):
        return [self.tool("pgadmin4")]


class JupyterHub(Application):
    """JupyterHub with the proxy that PyPI has."""

    scheme = "http"
    ready = "/hub/health"

    def command(self):
        return [
            self.tool("jupyterhub"), "-f", str(self.settings), "--ip", "127.0.0.1", "--port", str(self.port),
            f"--JupyterHub.hub_port={free_port()}", f"--ConfigurableHTTPProxy.api_url=http://127.0.0.1:{free_port()}"]


class Synapse(Application):
    """The home server of Matrix."""

    BASE = """\
server_name: localhost
public_baseurl: {origin}/
pid_file: {folder}/pid
signing_key_path: {folder}/signing.key
media_store_path: {folder}/media
report_stats: false
trusted_key_servers: []
macaroon_secret_key: {secret}
registration_shared_secret: {secret}
tls_certificate_path: {environment[CERTIFICATE]}
tls_private_key_path: {environment[KEY]}
database: {{ name: sqlite3, args: {{ database: {folder}/synapse.sqlite3 }} }}
listeners:
  - {{ port: {port}, bind_addresses: ["127.0.0.1"], type: http, tls: true, resources: [{{ names: [client] }}] }}
"""

    def prepare(self):
        base = self.folder / "homeserver.yaml"
        base.write_text(self.BASE.format(**vars(self), secret=os.urandom(24).hex()), encoding="utf-8")
        recipe = self.folder / "openid.yaml"
        text = string.Template(self.settings.read_text(encoding="utf-8"))
        method = "auto" if self.pkce == "on" else "never"
        recipe.write_text(text.substitute(self.environment, PKCE_METHOD=method), encoding="utf-8")
        self.configuration = ["-c", str(base), "-c", str(recipe)]
        subprocess.run(
            [self.tool("python"), "-m", "synapse.app.homeserver", *self.configuration, "--generate-keys"], cwd=self.folder,
            env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=True)

    def command(self):
        return [self.tool("python"), "-m", "synapse.app.homeserver", *self.configuration]
