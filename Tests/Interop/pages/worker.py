"""A service worker that another listener of the port has left in the browser never sees the address that lets in to the phone."""
import http.server
import threading
from urllib.parse import unquote, urlsplit

from phone import Phone
from stage import free_port

PAGE = """<!doctype html><title>Nothing yet</title><script>
navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready).then(() => { document.title = "Planted"; });
</script>"""
# It passes on every address that the person opens, and shows what the server answers.
WORKER = """
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  const told = fetch("http://127.0.0.1:%d/" + encodeURIComponent(event.request.url), { mode: "no-cors" });
  event.respondWith(told.then(() => fetch(event.request)));
});
"""


class Listener:
    """Server of another account at a port; it keeps what is asked of it."""

    def __init__(self, host, port, worker=""):
        asked = self.asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            """Serves the page, and its worker."""

            def do_GET(self):  # the name that the library wants
                """Answers a request."""
                asked.append(unquote(self.path[1:]))
                content, kind = (worker, "text/javascript") if self.path == "/worker.js" else (PAGE, "text/html")
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.end_headers()
                self.wfile.write(content.encode())

            def log_message(self, *_):
                """Says nothing."""

        self.server = http.server.ThreadingHTTPServer((host, port), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        """Lets the port go."""
        self.server.shutdown()
        self.server.server_close()


def everything(report, stage):
    """The worker first, at two addresses of this machine; then the phone at its port."""
    port, browser = free_port(), stage.browser("worker")
    collector = Listener("127.0.0.1", free_port())
    worker = WORKER % collector.server.server_port
    for host in ("127.0.0.1", "127.1.2.3"):
        origin = f"http://{host}:{port}"
        stranger = Listener(host, port, worker)
        browser.open(origin)
        browser.until(lambda: browser.title == "Planted", "the worker")
        browser.open(f"{origin}/begin/by-hand")
        stranger.close()
        report.check(f"service worker at {host}: sees an address while its listener runs", f"{origin}/begin/by-hand" in collector.asked,
                     str(collector.asked))
    browser.open(stage.start_phone("worker", port=port, push=False))
    seen = [address for address in collector.asked if "by-hand" not in address and "favicon" not in address]
    report.check("service worker of another listener: never sees the address that lets in", not seen, str(seen))
    report.check("service worker of another listener: does not control the phone page",
                 browser.run("return navigator.serviceWorker.controller === null"))
    phone = Phone(browser, browser.address)
    report.check("phone page: its port is the one that was chosen, its address is one of 127/8, and a secure context",
                 urlsplit(browser.address).port == port and urlsplit(browser.address).hostname.startswith("127.")
                 and browser.run("return isSecureContext"), browser.address)
    stage.administer("users add", "-m", "a test", "--", "wendy")
    phone.register(stage.invite("wendy"))
    report.check("phone page: registers at its own address", "wendy" in browser.text("#screen"), browser.text("#screen")[:200])
    again = stage.start_phone("worker-again", port=port, push=False)
    report.check("phone page: another start at the same port has another address", urlsplit(again).hostname
                 != urlsplit(browser.address).hostname, again)
    collector.close()
