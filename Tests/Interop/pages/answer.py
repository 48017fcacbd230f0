"""Answers by response_mode=form_post: the browser posts code or error to the site, and a hostile state stays a value."""
import base64
import hashlib
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

STATE = "\"><script>document.title='hostile'</script>"
VERIFIER = "v" * 43


class Site:
    """A site that keeps what browsers post to it."""

    def __init__(self):
        posts = self.posts = []

        class Handler(BaseHTTPRequestHandler):
            """Keeps the fields of a form, and says so."""

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                posts.append(dict(urllib.parse.parse_qsl(body)))
                self.send_response(200)
                self.send_header("Content-Type", "text/plain")
                self.end_headers()
                self.wfile.write(b"posted")

            def do_GET(self):
                self.send_error(404)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.redirect = f"http://127.0.0.1:{self.server.server_port}/back"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        """Ends the site."""
        self.server.shutdown()
        self.server.server_close()


def address(stage, site, **changes):
    """Address of a request of the site."""
    challenge = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
    fields = {"client_id": "poster", "response_type": "code", "response_mode": "form_post", "redirect_uri": site.redirect,
              "scope": "openid", "state": STATE, "nonce": "n", "code_challenge": challenge, "code_challenge_method": "S256",
              **changes}
    return f"{stage.issuer}/oauth2/authorize?{urllib.parse.urlencode(fields)}"


def posted(browser, site, count):
    """The post of this number, once it has arrived."""
    return browser.until(lambda: len(site.posts) == count and site.posts[-1], f"post {count} to the site", 30)


def everything(report, stage, phone):
    """An error and a code by form, with our script and without JavaScript."""
    site = Site()
    try:
        stage.administer("client add", "-m", "a test", "--name", "Poster", "--redirect", site.redirect, "--public", "--", "poster")
        laptop = stage.browser("poster")
        laptop.open(address(stage, site, prompt="none"))
        fields = posted(laptop, site, 1)
        report.check("form_post: an error is posted to the site by itself",
                     fields.get("error") == "login_required" and fields.get("iss") == stage.issuer, str(fields))
        report.check("form_post: a hostile state comes back as it was, and runs nothing",
                     fields.get("state") == STATE and "hostile" not in laptop.driver.title)
        laptop.open(address(stage, site))
        laptop.until(lambda: laptop.find("#link"), "the sign-in page with its link")
        phone.open(laptop.attribute("#link", "href"))
        phone.confirm()
        fields = posted(laptop, site, 2)
        report.check("form_post: a code is posted to the site, and stands in no address",
                     "code" in fields and fields.get("state") == STATE and "code=" not in laptop.address, laptop.address)
        plain = stage.browser("poster-plain", scripts=False)
        plain.open(address(stage, site, prompt="none"))
        plain.press("Continue")
        report.check("form_post: without JavaScript a button posts the answer", "error" in posted(plain, site, 3))
    finally:
        site.close()
