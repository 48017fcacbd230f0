"""mod_auth_openidc in Apache: a protected page by code, and a back-channel logout that ends the session there."""

import os
import pathlib
import pwd
import shutil
import string
import subprocess
import tempfile
from urllib.parse import parse_qs, urlsplit

import requests

from expectation import require, wait_for
from stage import EMAIL, SignInPage, free_port

CLIENT = "apache"
PROGRAM = "/usr/sbin/apache2"
RECIPE = pathlib.Path(__file__).parent / "recipes/mod_auth_openidc.conf"
MODULES = "/usr/lib/apache2/modules"
NAMES = "mpm_event authn_core authz_core authz_user unixd dir mime alias ssl socache_shmcb headers auth_openidc".split()
CONFIGURATION = """\
ServerRoot "{folder}"
ServerName localhost
Listen 127.0.0.1:{port}
PidFile "{folder}/apache.pid"
DefaultRuntimeDir "{folder}"
Mutex file:{folder}
ErrorLog "{folder}/error.log"
LogLevel warn auth_openidc:info
{modules}
StartServers 1
ServerLimit 1
ThreadsPerChild 16
MinSpareThreads 1
MaxSpareThreads 16
MaxRequestWorkers 16
TypesConfig /dev/null
DocumentRoot "{folder}/pages"
SSLSessionCache none
SSLEngine on
SSLCertificateFile "{chain}"
SSLCertificateKeyFile "{key}"
OIDCCABundlePath "{trusted}"
Header set X-Remote-User "expr=%{{REMOTE_USER}}"
{recipe}
"""


class Apache:
    """An Apache that runs without rights in a folder of its own, and the browsers of its visitors."""

    def __init__(self, stage):
        require(os.access(PROGRAM, os.X_OK) and os.path.exists(f"{MODULES}/mod_auth_openidc.so"),
                "apache2-bin or libapache2-mod-auth-openidc is missing: script/bootstrap installs them")
        self.stage = stage
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="signet-apache-"))
        # Root runs Apache as the account nobody, to which the folder belongs then.
        self.user = pwd.getpwnam("nobody") if os.getuid() == 0 else None
        self.process = None
        self.port = free_port()
        self.origin = f"https://localhost:{self.port}"
        self.secret = stage.add_client(CLIENT, [
            "--redirect", f"{self.origin}/protected/back",
            "--logout-address", f"https://127.0.0.1:{self.port}/protected/back?logout=backchannel"])
        try:
            self.write()
            self.start()
        except BaseException:
            self.close()
            raise

    def checks(self):
        """Names and functions of the checks, in their order."""
        return [
            ("PKCE off: Apache shows a page to the browser whose person has confirmed on the phone, and to no other", self.sign_in),
            ("PKCE on: the same", self.sign_in_with_pkce),
            ("an answer of the provider is worth nothing in another browser", self.replay),
            ("an end at the provider ends the session at Apache, by a logout token", self.logout),
            ("a forged logout token ends nothing", self.forged_logout),
        ]

    # Apache

    def write(self, more=""):
        """Writes pages, keys and configuration: the recipe, and more settings."""
        pages = self.folder / "pages/protected"
        pages.mkdir(parents=True, exist_ok=True)
        (pages / "index.html").write_text("<!doctype html><title>Inside</title><p>Inside")
        trusted = shutil.copy(self.stage.ca_file, self.folder / "trusted.pem")
        chain, key = (shutil.copy(file, self.folder) for file in self.stage.authority.issue("apache"))
        modules = "\n".join(
            f"LoadModule {name}_module {MODULES}/mod_{name}.so" for name in NAMES
            if os.path.exists(f"{MODULES}/mod_{name}.so"))
        recipe = string.Template(RECIPE.read_text(encoding="utf-8")).substitute(
            ISSUER=self.stage.issuer, CLIENT_ID=CLIENT, CLIENT_SECRET=self.secret, ORIGIN=self.origin,
            PASSPHRASE=os.urandom(24).hex())
        self.configuration = self.folder / "apache.conf"
        self.configuration.touch(mode=0o600)
        self.configuration.write_text(CONFIGURATION.format(
            folder=self.folder, port=self.port, modules=modules, chain=chain, key=key, trusted=trusted, recipe=recipe + more))
        if self.user:
            for file in (self.folder, *self.folder.rglob("*")):
                os.chown(file, self.user.pw_uid, self.user.pw_gid)

    def start(self):
        """Starts Apache and waits until it answers."""
        rights = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}
        with open(self.folder / "start.log", "wb") as log:
            self.process = subprocess.Popen(
                [PROGRAM, "-f", str(self.configuration), "-DFOREGROUND"], cwd=self.folder, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=log, **rights)

        def answers():
            require(self.process.poll() is None, f"Apache has ended: {self.log()}")
            try:
                return bool(self.visit(self.stage.browser(), "/").status_code)
            except requests.ConnectionError:
                return False
        wait_for(answers, "Apache does not answer")

    def log(self):
        """End of what Apache has said."""
        files = [self.folder / name for name in ("start.log", "error.log")]
        return "".join(file.read_text(errors="replace")[-1500:] for file in files if file.exists())

    def stop(self):
        """Ends Apache."""
        if self.process:
            self.process.terminate()
            self.process.wait(30)
            self.process = None

    def close(self):
        """Ends Apache and removes its folder."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    # Visits

    def visit(self, browser, path):
        """Answer to a GET; redirects are not followed."""
        return browser.get(self.origin + path if path.startswith("/") else path, allow_redirects=False, timeout=30)

    def is_inside(self, browser):
        """Whether a browser is shown the page; otherwise Apache has to send it to the provider."""
        answer = self.visit(browser, "/protected/")
        if answer.status_code == 200:
            require("Inside" in answer.text, "another page")
            require(answer.headers["X-Remote-User"] == EMAIL, f"REMOTE_USER is {answer.headers['X-Remote-User']}")
            return True
        require(answer.status_code == 302, f"Apache answered {answer.status_code}: {self.log()}")
        target = urlsplit(answer.headers["Location"])
        require(f"{target.scheme}://{target.netloc}" == self.stage.issuer, "sent to another provider")
        self.asked = answer.headers["Location"]
        return False

    def sign_in(self, pkce="off"):
        self.browser = self.stage.browser()
        require(not self.is_inside(self.browser), "the page was shown to a stranger")
        asked = parse_qs(urlsplit(self.asked).query)
        require(("code_challenge" in asked) == (pkce == "on"), f"PKCE is not {pkce}: {sorted(asked)}")
        page = SignInPage(self.browser, self.stage.issuer, self.asked)
        self.stage.confirm(page.link())
        self.back = page.finish()
        answer = self.visit(self.browser, self.back)
        require(answer.status_code == 302, f"Apache has refused the code with {answer.status_code}: {self.log()}")
        require(self.is_inside(self.browser), "signed in, and sent to the provider again")

    def sign_in_with_pkce(self):
        self.stop()
        self.write("OIDCPKCEMethod S256\n")
        self.start()
        self.sign_in("on")

    def replay(self):
        stranger = self.stage.browser()
        self.visit(stranger, self.back)
        require(not self.is_inside(stranger), "a code was taken in another browser")

    def logout(self):
        self.stage.leave(self.browser)
        wait_for(lambda: not self.is_inside(self.browser), "Apache shows the page after the logout", seconds=30)

    def forged_logout(self):
        page = SignInPage(self.browser, self.stage.issuer, self.asked)
        self.stage.confirm(page.link())
        self.visit(self.browser, page.finish())
        require(self.is_inside(self.browser), "not signed in again")
        answer = self.stage.browser().post(
            f"{self.origin}/protected/back?logout=backchannel", data={"logout_token": "e30.e30.AAAA"},
            allow_redirects=False, timeout=30)
        require(answer.status_code == 400, f"a forged logout token was answered with {answer.status_code}")
        require(self.is_inside(self.browser), "a forged logout token has ended the session")
