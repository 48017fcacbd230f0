#!/usr/bin/env python3
"""Shows <signet-sign-in> in a real Chromium, in a page with a strict policy: python3 Tests/Interop/pages/web_element.py

Exit 0: everything holds; 1: something does not; 77: Chromium is not installed.
"""
import http.server
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time

SCRIPT = pathlib.Path(__file__).parents[3] / "Sources/Server/SignInPages/Resources/signet-web.js"
POLICY = "default-src 'none'; script-src 'self'; frame-src 'self' data:"
ELEMENT = (
    '<signet-sign-in id="e" issuer="http://127.0.0.1:{port}" client-id="shop" redirect-uri="http://127.0.0.1:{port}/back"'
    ' code-challenge="{challenge}" state="s1" nonce="n1"></signet-sign-in>'
)
CHECK = """
const e = document.getElementById("e"), got = [], button = e.shadowRoot.querySelector("button");
for (const name of ["signet-result", "signet-error"]) e.addEventListener(name, (x) => got.push([name, x.detail]));
const ok = {}, wait = (ms) => new Promise((r) => setTimeout(r, ms));
const say = (value) => { const c = new BroadcastChannel("signet-sign-in"); c.postMessage(value); c.close(); };
const iss = e.getAttribute("issuer");
(async () => {
  const address = new URL(e.address);
  ok.request = address.pathname === "/oauth2/authorize" && address.searchParams.get("code_challenge_method") === "S256"
    && address.searchParams.get("state") === "s1" && address.searchParams.get("nonce") === "n1" && !button.disabled;
  ok.reachable = (e.focus(), e.shadowRoot.activeElement === button);
  window.open = () => null;
  e.begin();
  window.postMessage({ code: "forged", state: "s1", iss }, "*");
  window.dispatchEvent(new MessageEvent("message", { data: { code: "forged", state: "s1", iss }, origin: iss }));
  say({ code: "other", state: "s2", iss }); say({ code: 1, state: "s1", iss }); say(null); say("text");
  say({ code: "both", error: "both", state: "s1", iss });
  await wait(300);
  ok.foreignIgnored = got.length === 0;
  say({ code: "mixed", state: "s1", iss: "https://evil.example" });
  await wait(200);
  ok.issuerCompared = got.length === 1 && got[0][0] === "signet-error" && got[0][1].error === "issuer_mismatch";
  say({ code: "c1", state: "s1", iss });
  await wait(200);
  ok.resultTaken = got.length === 2 && got[1][0] === "signet-result" && got[1][1].code === "c1";
  say({ code: "c2", state: "s1", iss });
  await wait(200);
  ok.once = got.length === 2;
  e.setAttribute("code-challenge", "short");
  ok.refusesChallenge = e.address === null && button.disabled;
  e.setAttribute("code-challenge", "A".repeat(43));
  e.setAttribute("issuer", "javascript:alert(1)//");
  ok.refusesScheme = e.address === null;
  e.setAttribute("issuer", "http://login.example.com");
  ok.refusesPlainHTTP = e.address === null;
  document.title = "done";
  document.body.append(JSON.stringify(ok));
})();
"""


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        port = self.server.server_address[1]
        if self.path == "/signet-web.js":
            body, kind = SCRIPT.read_bytes(), "text/javascript"
        elif self.path == "/check.js":
            body, kind = CHECK.encode(), "text/javascript"
        elif self.path == "/slow.js":
            # The page is written down once it is loaded, and until then the checks run.
            time.sleep(4)
            body, kind = b"", "text/javascript"
        else:
            element = ELEMENT.format(port=port, challenge="A" * 43)
            body = f'<!doctype html><html lang="de"><script src="/signet-web.js"></script><body>{element}' \
                   '<script src="/check.js"></script><script src="/slow.js" async></script></body></html>'
            body, kind = body.encode(), "text/html"
        self.send_response(200)
        self.send_header("Content-Type", kind + "; charset=utf-8")
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        print("skipped: chromium is not installed")
        return 77
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    run = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--timeout=9000", "--dump-dom",
         f"http://127.0.0.1:{server.server_address[1]}/"], capture_output=True, text=True, timeout=60, check=False)
    server.shutdown()
    found = re.search(r"\{(&quot;|\").*?\}", run.stdout)
    results = dict(re.findall(r'"(\w+)":(true|false)', found.group(0).replace("&quot;", '"'))) if found else {}
    for name, value in results.items():
        print(f"{name}: {'holds' if value == 'true' else 'FAILS'}")
    if len(results) < 9:
        print("the page did not come to its end")
    return 0 if len(results) == 9 and set(results.values()) == {"true"} else 1


if __name__ == "__main__":
    sys.exit(main())
