"""<signet-sign-in> in a page of another origin: pop-up, pages that lead on, and the answer exchanged by its server."""
import base64
import hashlib
import http.server
import json
import secrets
import ssl
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

POLICY = "default-src 'none'; script-src 'self' {issuer}; style-src 'unsafe-inline'; base-uri 'none'"
HEAD = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Foreign page</title><style>body {{ font: 1rem/1.5 system-ui; margin: 3rem auto; max-width: 30rem; padding: 0 1rem;
color-scheme: light dark }}</style><script src="{issuer}/signet-web.js" defer></script>"""
PAGE = HEAD + """<main><h1>Umbrellas and more</h1><p>A page of another site, with one element of Signet.</p>
<signet-sign-in issuer="{issuer}" client-id="foreign" redirect-uri="{redirect}" code-challenge="{challenge}"
state="{state}" nonce="{nonce}" scope="openid profile" mode="{mode}"></signet-sign-in><p id="result" role="status"></p></main>
<script src="/result.js" defer></script>"""
BACK = HEAD + "<main><h1>Signed in</h1><signet-result></signet-result></main>"
RESULT = """
for (const name of ["signet-result", "signet-error"]) document.addEventListener(name, async (event) => {
  window.results = [...(window.results ?? []), [name, event.detail]];
  const place = document.getElementById("result");
  if (name === "signet-error") return void (place.textContent = "Error: " + event.detail.error);
  const answer = await fetch("/exchange?" + new URLSearchParams(event.detail));
  place.textContent = await answer.text();
});
"""


class Foreign:
    """A site of another origin: its pages, and its server that exchanges codes."""

    def __init__(self, issuer, authority):
        self.issuer, self.begun = issuer, {}
        self.trust = ssl.create_default_context(cafile=str(authority))
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                site.answer(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://localhost:{self.server.server_port}"
        self.redirect = self.origin + "/signed-in"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, handler):
        """Pages, script and exchange by their paths."""
        path, _, query = handler.path.partition("?")
        status, kind = 200, "text/html"
        if path == "/result.js":
            body, kind = RESULT, "text/javascript"
        elif path == "/signed-in":
            body = BACK.format(issuer=self.issuer)
        elif path == "/exchange":
            status, body = self.exchange(dict(urllib.parse.parse_qsl(query)))
            kind = "text/plain"
        else:
            body = self.page(query)
        handler.send_response(status)
        handler.send_header("Content-Type", kind + "; charset=utf-8")
        handler.send_header("Content-Security-Policy", POLICY.format(issuer=self.issuer) + "; connect-src 'self'")
        handler.end_headers()
        handler.wfile.write(body.encode())

    def page(self, query):
        """Page with the element, for a sign-in of its own, or for the one that comes back with mode="page"."""
        state, mode = dict(urllib.parse.parse_qsl(query)).get("state"), "page" if query else "popup"
        if state not in self.begun:
            verifier, state, nonce = (secrets.token_urlsafe(32) for _ in range(3))
            self.begun[state] = (verifier, nonce, self.redirect if mode == "popup" else self.origin + "/")
        verifier, nonce, redirect = self.begun[state]
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        return PAGE.format(issuer=self.issuer, redirect=redirect, challenge=challenge, state=state, nonce=nonce, mode=mode)

    def exchange(self, given):
        """Exchanges a code as the server of the page does; the subject and name of the ID token."""
        verifier, nonce, redirect = self.begun.pop(given.get("state"), (None, None, None))
        if verifier is None or given.get("iss") != self.issuer:
            return 400, "not begun here"
        form = {"grant_type": "authorization_code", "code": given["code"], "redirect_uri": redirect,
                "code_verifier": verifier, "client_id": "foreign"}
        request = urllib.request.Request(self.issuer + "/oauth2/token", urllib.parse.urlencode(form).encode())
        try:
            with urllib.request.urlopen(request, context=self.trust, timeout=10) as answer:
                token = json.load(answer)["id_token"]
        except urllib.error.HTTPError as error:
            return 400, error.read().decode(errors="replace")
        claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
        holds = claims["iss"] == self.issuer and claims["aud"] == "foreign" and claims["nonce"] == nonce
        return (200, f"Signed in: {claims.get('preferred_username', claims['sub'])}") if holds else (400, "wrong token")


def everything(report, stage, phone):
    """The element without a server, then in a page of another origin at the real one."""
    alone = subprocess.run([sys.executable, str(Path(__file__).with_name("web_element.py"))], capture_output=True, text=True,
                           timeout=120, check=False)
    report.check("signet-sign-in: attributes, answers of others and addresses (web_element.py)", alone.returncode == 0,
                 alone.stdout.replace("\n", "; "))
    site = Foreign(stage.issuer, stage.authority)
    stage.administer("client add", "-m", "a test", "--name", "Umbrellas and more", "--redirect", site.redirect, "--redirect",
                     site.origin + "/", "--public", "--origin", site.origin, "--", "foreign")
    laptop = stage.browser("foreign")
    laptop.open(site.origin + "/")
    laptop.until(lambda: laptop.focused or laptop.run("return !!customElements.get('signet-sign-in')"), "the element")
    report.look(laptop, "signet-sign-in in a foreign page")
    report.picture(laptop, "signet-web", size=(560, 300))
    popup(report, laptop, phone)
    denied(report, laptop, phone, site)
    laptop.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    laptop.open(site.origin + "/?page")
    click(laptop)
    laptop.until(lambda: laptop.find("#link"), "the sign-in page in the same window")
    phone.open(laptop.attribute("#link", "href"))
    phone.confirm()
    laptop.until_text("Signed in: anna", "#result")
    report.check("signet-sign-in: mode=page comes back by itself, and leaves no code in the address",
                 "code=" not in laptop.address, laptop.address.partition("?")[0])
    site.server.shutdown()


def click(laptop):
    """Presses the button of the element, which lies in its shadow tree."""
    laptop.run("document.querySelector('signet-sign-in').focus()")
    laptop.key("\ue007")


def in_popup(laptop):
    """Opens the pop-up and goes there; returns the window that began."""
    first = laptop.driver.current_window_handle
    click(laptop)
    laptop.until(lambda: len(laptop.driver.window_handles) == 2, "the pop-up")
    laptop.driver.switch_to.window(next(w for w in laptop.driver.window_handles if w != first))
    laptop.until(lambda: laptop.find("#link"), "the sign-in page in the pop-up")
    return first


def finished(laptop, first):
    """Waits for the end of the pop-up: closed, or with the sentence that it can be closed."""
    def is_over():
        if len(laptop.driver.window_handles) == 1:
            return "closed"
        return "said" if "You can close this window" in laptop.text() else ""
    end = laptop.until(is_over, "the end of the pop-up")
    if end == "said":
        laptop.driver.close()
    laptop.driver.switch_to.window(first)
    return end


def popup(report, laptop, phone):
    """The pop-up signs in, the page gets the answer, and its server exchanges it."""
    first = in_popup(laptop)
    report.check("signet-sign-in: the pop-up has no way to the window that opened it",
                 laptop.run("return window.opener === null"))
    report.check("sign-in page: names the foreign page", "Umbrellas and more" in laptop.text())
    phone.open(laptop.attribute("#link", "href"))
    phone.confirm()
    end = finished(laptop, first)
    report.check(f"signet-sign-in: the pop-up is done ({end})", True)
    laptop.until_text("Signed in: anna", "#result")
    report.check("signet-sign-in: the result reaches the page once, and its server exchanges it",
                 laptop.run("return window.results.length") == 1)


def denied(report, laptop, phone, site):
    """A refusal on the phone reaches the page as an error."""
    laptop.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    laptop.open(site.origin + "/")
    first = in_popup(laptop)
    phone.open(laptop.attribute("#link", "href"))
    phone.refuse("Refuse")
    laptop.until_text("You declined", "#state")
    laptop.press("Cancel and go back")
    finished(laptop, first)
    laptop.until_text("Error: access_denied", "#result")
    report.check("signet-sign-in: a refusal reaches the page as an error", True)
