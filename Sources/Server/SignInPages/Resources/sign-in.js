// Script of the sign-in page: follows the state, renews the QR code, and goes on by itself. Without it the page refreshes.
"use strict";
(() => {
  const page = document.getElementById("page");
  if (!page) return;
  const { session, kind } = page.dataset;
  const status = document.getElementById("state");
  const form = document.getElementById("rotate");
  const path = (name) => `/${name}/${encodeURIComponent(session)}`;
  const end = { waiting: true, shown: true, open: true };
  let state = page.dataset.state;
  let round = page.dataset.round;
  let renewal = 0;
  let failures = 0;
  // Whether a form leads on: a reload would take the place of the page that it leads to.
  let isLeaving = false;
  addEventListener("submit", () => { isLeaving = true; });

  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  function say(text, kindOfState) {
    if (!status || status.textContent === text) return;
    status.className = `state ${kindOfState}`;
    status.textContent = text;
  }

  function reload() {
    if (!isLeaving) location.reload();
  }

  function send(action) {
    if (isLeaving) return;
    isLeaving = true;
    form.elements.namedItem("action").value = action;
    form.submit();
  }

  async function ask(wait) {
    const query = new URLSearchParams({ known: state, wait: String(wait) });
    const answer = await fetch(`${path("sign-in-status")}?${query}`, { cache: "no-store", credentials: "same-origin" });
    if (answer.status === 429 || answer.status === 503) {
      const seconds = Number(answer.headers.get("Retry-After")) || 5;
      await pause(Math.min(seconds, 60) * 1000);
      return null;
    }
    if (!answer.ok) {
      reload();
      return undefined;
    }
    return answer.json();
  }

  function show(news) {
    const image = document.getElementById("code");
    const link = document.getElementById("link");
    if (image && String(news.round) !== round) image.src = `${path("sign-in-code")}?round=${news.round}`;
    if (link && news.link && /^[a-z][a-z0-9+.-]*:/.test(news.link) && !/^javascript:/i.test(news.link)) link.href = news.link;
    round = String(news.round);
    plan(news.expiresIn);
  }

  // A QR code that nobody has scanned is renewed ten seconds before it ends; a push is not sent again by itself.
  function plan(seconds) {
    clearTimeout(renewal);
    if (kind !== "code" || !(seconds > 0)) return;
    renewal = setTimeout(renew, Math.max(5, seconds - 10) * 1000);
  }

  async function renew() {
    if (state !== "waiting" || document.hidden) return plan(5);
    const fields = new URLSearchParams(new FormData(form));
    fields.set("action", "code");
    try {
      await fetch(form.action, { method: "POST", body: fields, credentials: "same-origin", redirect: "manual" });
      const news = await ask(0);
      if (news) show(news);
    } catch {
      plan(5);
    }
  }

  function take(news) {
    failures = 0;
    if (news.state === "confirmed") {
      say(page.dataset.confirmed, "good");
      send("finish");
      return false;
    }
    if (!end[news.state]) {
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
        const news = await ask(25000);
        if (news === undefined) return;
        if (news && !take(news)) return;
      } catch {
        failures += 1;
        if (failures > 1) say(page.dataset.offline, "bad");
        await pause(Math.min(30000, 1000 * 2 ** Math.min(failures, 5)));
      }
    }
  }

  if (state === "confirmed") send("finish");
  else if (end[state]) {
    plan(Number(page.dataset.expires));
    follow();
  }
})();
