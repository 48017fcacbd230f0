"""schemathesis: thousands of made-up requests by the OpenAPI document, whose answers have to be in it."""

import base64
import os
import pathlib
import subprocess
import sys

from expectation import require

CLIENT = "schemathesis"
# Left out: that what fits the document is served (a code or an identifier of nothing is refused all the same); that what does
# not fit it is refused by status (UAF says so in a body of 200, and fields that are of no use are ignored, as the standards
# want); and what needs links between operations, of which the document has none.
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "unsupported_method", "allow_header_conformance", "ignored_auth",
]
EXAMPLES = int(os.environ.get("SIGNET_INTEROP_EXAMPLES", "20"))
SECONDS = 900
CONFIGURATION = """\
base-url = "{base}"
tls-verify = "{authority}"
hooks = "{hooks}"
seed = 1
color = false

[checks]
enabled = false
{checks}

[generation]
mode = "all"
max-examples = {examples}
database = "none"

[phases.stateful]
enabled = false

# UAF says in a body of status 200 that a request is refused (UAF Application API and Transport Binding, statusCode).
[[operations]]
include-path-regex = "/uaf/1.1/request/"
checks.ignored_auth.enabled = false
{proofs}
"""
PROOF = """
[[operations]]
include-path-regex = "{paths}"
headers = {{ {field} = "{value}" }}
"""


class Contract:
    """The document, and the proofs that its routes ask for."""

    def __init__(self, stage):
        self.stage = stage
        self.folder = pathlib.Path(stage.folder)
        self.document = self.folder / "openapi.yaml"
        self.document.write_bytes(stage.browser().get(f"{stage.issuer}/openapi.yaml", timeout=30).content)
        self.secret = stage.add_client(CLIENT, [
            "--redirect", "http://localhost:8080/back", "--ciba", "poll", "--refresh"])
        # The client that stands for Keycloak has the name of the access key.
        stage.add_client("interop", ["--ciba", "ping", "--ciba-address", "https://127.0.0.1:9/callback"])

    def checks(self):
        """Names and functions of the checks, in their order."""
        return [
            ("a request without a sender", lambda: self.run("open", [])),
            ("a client with its secret", lambda: self.run(
                "client", [("^/oauth2/", "Authorization", self.basic())], "^/oauth2/")),
            ("a system with its access key", lambda: self.run(
                "key", [("^/api/v1/", "Authorization", f"Bearer {self.stage.access_key}"),
                        ("^/ciba/", "Signet-Access-Key", self.stage.access_key)], "^/(api/v1|ciba)/")),
            ("the port for the operator", lambda: self.run("management", [], "management")),
        ]

    def basic(self):
        """Proof of the client (RFC 6749, 2.3.1)."""
        return "Basic " + base64.b64encode(f"{CLIENT}:{self.secret}".encode()).decode()

    def run(self, name, proofs, paths=None):
        """Runs schemathesis with a configuration that only its owner may read, as it holds secrets."""
        base = self.stage.management if paths == "management" else self.stage.issuer
        checks = "\n".join(f"{check}.enabled = true" for check in CHECKS)
        configuration = self.stage.secret(f"schemathesis-{name}.toml", CONFIGURATION.format(
            hooks=pathlib.Path(__file__).with_name("media_types.py"), base=base, authority=self.stage.ca_file, checks=checks, examples=EXAMPLES,
            proofs="".join(PROOF.format(paths=paths, field=field, value=value) for paths, field, value in proofs)))
        selection = ["--include-tag", "Management"] if paths == "management" else ["--exclude-tag", "Management"]
        if paths and paths != "management":
            selection = ["--include-path-regex", paths]
        with open(self.folder / f"schemathesis-{name}.log", "w+", encoding="utf-8") as log:
            done = subprocess.run(
                [sys.executable, "-m", "schemathesis.cli", "--config-file", configuration, "run", str(self.document),
                 *selection], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=SECONDS, check=False)
            log.seek(0)
            if done.returncode != 0:
                print(log.read(), file=sys.stderr)
            require(done.returncode == 0, "schemathesis has found what it says above")
