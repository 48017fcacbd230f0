// Script of the pages. It posts the form of an answer to a client, if the page has one. On the sign-in page it follows the
// state, renews the QR code, and goes on by itself. Without it the page refreshes. Where the browser has passkeys, it shows the
// form of a page that signs in with one, or registers one.
//
// Nothing here waits for a timer of the browser alone: browsers slow the timers of hidden tabs down to one a minute, and stop
// them while a laptop sleeps. The long poll of the state ends when the next code is due, and its answer renews the code.
"use strict";
(() => {
  const reply = document.getElementById("reply");
  if (reply) HTMLFormElement.prototype.submit.call(reply);
  const page = document.getElementById("page");
  if (!page) return;
  const LONGEST_WAIT = 25_000;
  const { session, kind } = page.dataset;
  const status = document.getElementById("state");
  const form = document.getElementById("rotate");
  // An input of the form hides the property of the form that has its name, so attributes are read as attributes.
  const target = form.getAttribute("action");
  const path = (name) => `/${name}/${encodeURIComponent(session)}`;
  const open = { waiting: true, shown: true, open: true };
  let state = page.dataset.state;
  let round = page.dataset.round;
  let renewAt = Infinity;
  let failures = 0;
  // Whether a form leads on: a reload would take the place of the page that it leads to.
  let isLeaving = false;
  let wake = () => {};
  addEventListener("submit", (event) => { if (!event.defaultPrevented) isLeaving = true; });
  addEventListener("online", () => wake());
  addEventListener("pageshow", () => wake());
  document.addEventListener("visibilitychange", () => wake());

  // Ends early when the connection or the page comes back.
  const pause = (milliseconds) => new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    wake = () => { clearTimeout(timer); resolve(); };
  });

  function say(text, kindOfState) {
    if (!status || status.textContent === text) return;
    status.className = `state ${kindOfState}`;
    status.textContent = text;
  }

  function reload() {
    if (!isLeaving) location.reload();
  }

  function finish() {
    if (isLeaving) return;
    isLeaving = true;
    form.querySelector("[name=action]").value = "finish";
    HTMLFormElement.prototype.submit.call(form);
  }

  // Milliseconds that the server asks to wait; null for any other answer.
  function delay(answer) {
    if (answer.status !== 429 && answer.status !== 503) return null;
    return Math.min(Number(answer.headers.get("Retry-After")) || 5, 60) * 1000;
  }

  // The state, at the latest after `wait` milliseconds; null when the server was too busy, undefined when the sign-in is over.
  async function ask(wait) {
    const query = new URLSearchParams({ known: state, wait: String(Math.ceil(wait)) });
    const answer = await fetch(`${path("sign-in-status")}?${query}`, { cache: "no-store", credentials: "same-origin" });
    const busy = delay(answer);
    if (busy !== null) {
      await pause(busy);
      return null;
    }
    if (!answer.ok) {
      reload();
      return undefined;
    }
    return answer.json();
  }

  function plan(seconds) {
    renewAt = kind === "code" && seconds !== undefined ? Date.now() + seconds * 1000 : Infinity;
  }

  function show(news) {
    const image = document.getElementById("code");
    const link = document.getElementById("link");
    const digits = document.getElementById("digits");
    if (digits && news.digits) {
      digits.textContent = news.digits;
      digits.setAttribute("aria-label", [...news.digits].join(" "));
    }
    if (image && String(news.round) !== round) image.src = `${path("sign-in-code")}?round=${news.round}`;
    if (link && news.link && /^[a-z][a-z0-9+.-]*:/.test(news.link) && !/^javascript:/i.test(news.link)) link.href = news.link;
    round = String(news.round);
    plan(news.renewsIn);
  }

  // Begins the next code. When the server does not, the next try is five seconds away.
  async function renew() {
    renewAt = Date.now() + 5000;
    const fields = new URLSearchParams(new FormData(form));
    const answer = await fetch(target, { method: "POST", body: fields, credentials: "same-origin", redirect: "manual" });
    const busy = delay(answer);
    if (busy !== null) renewAt = Date.now() + busy;
  }

  // Takes what the server says; false when this page is over.
  function take(news) {
    failures = 0;
    if (news.state === "confirmed") {
      say(page.dataset.confirmed, "good");
      finish();
      return false;
    }
    if (news.state === "expired" && state === "waiting" && kind === "code" && String(news.round) === round) {
      // The code ended while this page could not renew it: the laptop slept, or had no connection.
      renewAt = Math.min(renewAt, Date.now());
      return true;
    }
    if (!open[news.state]) {
      reload();
      return false;
    }
    if (news.state === "shown") say(page.dataset.shown, "waiting");
    if (news.state === "waiting") say(page.dataset.waiting, "waiting");
    if (String(news.round) !== round) show(news);
    state = news.state;
    return true;
  }

  async function follow() {
    for (;;) {
      try {
        const isDue = state === "waiting" && Date.now() >= renewAt;
        if (isDue) await renew();
        const begun = Date.now();
        const rest = state === "waiting" ? renewAt - begun : LONGEST_WAIT;
        const news = await ask(isDue ? 0 : Math.min(LONGEST_WAIT, Math.max(0, rest)));
        if (news === undefined) return;
        const before = `${state} ${round}`;
        if (news && !take(news)) return;
        // A server that answers at once is not asked in a circle.
        if (`${state} ${round}` === before && Date.now() - begun < 500) await pause(1000);
      } catch {
        failures += 1;
        if (failures > 1) say(page.dataset.offline, "bad");
        await pause(Math.min(30000, 1000 * 2 ** Math.min(failures, 5)));
      }
    }
  }

  if (state === "confirmed") finish();
  else if (open[state]) {
    if (kind === "code") plan(Number(page.dataset.renews));
    follow();
  }
})();

(() => {
  const form = document.getElementById("passkey");
  if (!form || !window.PublicKeyCredential?.parseRequestOptionsFromJSON) return;
  const status = document.getElementById("passkey-state");
  const target = form.getAttribute("action");
  const field = (name) => form.querySelector(`[name=${name}]`);
  const signsIn = field("action").value === "passkey";
  // Ends what the browser was asked last: it answers one question at a time.
  let last = new AbortController();

  // Options of the server; null when it leads to a fresh sign-in instead.
  async function options(isNamed) {
    const fields = new URLSearchParams({ form_token: field("form_token").value, action: "passkey-options" });
    if (isNamed) fields.set("username", field("username").value.trim());
    const answer = await fetch(target, {
      method: "POST", body: fields, headers: { Accept: "application/json" }, credentials: "same-origin", redirect: "manual",
    });
    if (answer.type === "opaqueredirect") return null;
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  }

  function credential(publicKey, mediation, signal) {
    if (!signsIn) {
      return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey), signal });
    }
    return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey), mediation, signal });
  }

  // Asks the browser, and sends its answer; false when there is none.
  async function ask(mediation) {
    last.abort();
    last = new AbortController();
    const { signal } = last;
    try {
      const given = await options(signsIn && mediation !== "conditional");
      if (signal.aborted) return true;
      if (given === null) {
        HTMLFormElement.prototype.submit.call(form);
        return true;
      }
      field("answer").value = JSON.stringify((await credential(given, mediation, signal)).toJSON());
      form.requestSubmit();
      field("answer").value = "";
    } catch (error) {
      if (error.name === "AbortError") return true;
      const { unused, known, failed } = form.dataset;
      if (mediation !== "conditional") status.textContent = { NotAllowedError: unused, InvalidStateError: known }[error.name] ?? failed;
      return false;
    }
    return true;
  }

  // Lets the browser offer its passkeys where the name is typed.
  async function offer() {
    if (signsIn && await PublicKeyCredential.isConditionalMediationAvailable?.()) await ask("conditional");
  }

  form.addEventListener("submit", async (event) => {
    if (field("answer").value) return;
    event.preventDefault();
    status.textContent = "";
    if (!await ask("optional")) offer();
  });
  form.hidden = false;
  offer();
})();
