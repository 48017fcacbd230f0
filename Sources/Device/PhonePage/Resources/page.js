"use strict";
/* Phone page: shows the state of the phone, and posts what the person does. Texts of others are inserted as texts only. */
(() => {
  const HANDED_OVER = "signet-handed-over";
  if (document.documentElement.hasAttribute("data-hand-over")) {
    /* Kept for this tab; the phone asks before it opens anything. */
    let link = location.hash.length > 1 ? location.hash.slice(1) : location.href;
    /* A broken escape stays as it is: the phone then says that this is no link of its servers. */
    try { link = decodeURIComponent(link); } catch { /* as it is */ }
    sessionStorage.setItem(HANDED_OVER, link.slice(0, 4096));
    location.replace("/");
    return;
  }
  const mark = document.querySelector('meta[name="signet-page"]');
  if (mark) {
    localStorage.setItem("signet-page", mark.content);
    mark.remove();
    history.replaceState(null, "", "/");
  }
  const token = localStorage.getItem("signet-page") || "";
  const screen = document.getElementById("screen");
  const live = document.getElementById("live");
  let state = null;
  let tab = "home";
  let isAsking = false;
  let timer = 0;
  let language = localStorage.getItem("signet-language") || (navigator.language || "en").slice(0, 2);
  if (!TEXTS[language]) language = "en";

  const text = (key, ...values) => {
    const pattern = TEXTS[language][key] ?? TEXTS.en[key] ?? key;
    return pattern.replace(/\{(\d)\}/g, (_, n) => values[n] ?? "");
  };
  const el = (name, content, attributes = {}) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "onclick") node.addEventListener("click", value);
      else node.setAttribute(key, value);
    }
    if (typeof content === "string") node.textContent = content;
    else if (content) node.append(...content);
    return node;
  };
  const button = (key, action, kind = "", ...values) =>
    el("button", text(key, ...values), { type: "button", class: kind, onclick: action });

  const send = async (path, type, body, question) => {
    const headers = { "Signet-Page": token, "Content-Type": type };
    if (question !== undefined && question !== null) headers["Signet-Question"] = String(question);
    let answer;
    try {
      answer = await fetch(path, { method: "POST", headers, body });
    } catch { return say("bad", text("offline")), false; }
    if (answer.ok) return true;
    const word = await answer.json().then((json) => json.error, () => null);
    say("bad", word ? text("error." + word) : text("offline"));
    return false;
  };
  const act = (members, question = state && state.question ? state.question.number : null) =>
    send("/action", "application/json", JSON.stringify(members), question);
  const secret = (value, question) => send("/secret", "application/octet-stream", new TextEncoder().encode(value), question);

  const told = (kind, sentence) => el("p", sentence, { class: "notice " + kind });
  const say = (kind, sentence) => live.replaceChildren(told(kind, sentence));
  /* What is told already is not told again. */
  const announce = (sentences) => place(live, sentences.map((one) => part(one, () => told(...one))));

  /* Parts of a screen: one is built again only when what it shows is another. A field in use keeps its text and the focus
     therefore, and a screen reader hears of nothing but what is new. */
  const part = (key, build, renew) => ({ key: JSON.stringify([language, ...key]), build, renew });
  const place = (container, parts) => {
    const keys = new Set(parts.map((one) => one.key));
    let isOther = false;
    for (const node of [...container.children]) {
      if (keys.has(node.partKey)) continue;
      node.remove();
      isOther = true;
    }
    /* Only a question counts down, and it is a part of its own: whenever one goes, so does its timer. */
    if (isOther && container === screen) clearInterval(timer);
    let next = container.firstElementChild;
    for (const { key, build, renew } of parts) {
      let node = next;
      if (node && node.partKey === key) {
        next = node.nextElementSibling;
      } else {
        node = Object.assign(build(), { partKey: key });
        container.insertBefore(node, next);
        isOther = true;
      }
      if (renew) renew(node);
    }
    while (next) {
      const rest = next.nextElementSibling;
      next.remove();
      next = rest;
    }
    return isOther;
  };
  const box = (content) => el("div", content, { class: "part" });

  /* Screens */
  const form = (parts, submit) => {
    const node = el("form", parts, { novalidate: "" });
    node.addEventListener("submit", (event) => { event.preventDefault(); submit(); });
    return node;
  };
  const submitButton = (key) => el("button", text(key), { type: "submit" });
  let fieldCount = 0;
  const field = (key, attributes) => {
    const id = "field-" + ++fieldCount;
    const input = el("input", null, { id, autocomplete: "off", autocapitalize: "off", spellcheck: "false", ...attributes });
    return [input, el("label", text(key), { for: id })];
  };

  const home = () => {
    const handed = sessionStorage.getItem(HANDED_OVER);
    const parts = [];
    if (handed) parts.push(part(["handed", handed], () => handOver(handed)));
    if (state.pending.length) parts.push(waiting());
    parts.push(part(["accounts", state.accounts], () => box([el("h2", text("accounts")), accounts()])),
      part(["scan"], scanner), part(["paste"], paster));
    return parts;
  };
  const handOver = (handed) => box([el("h2", text("pasteTitle")), el("p", text("handedOver")),
    button("open", async () => { sessionStorage.removeItem(HANDED_OVER); await act({ do: "open", text: handed }); render(); }),
    button("leave", () => { sessionStorage.removeItem(HANDED_OVER); render(); }, "second")]);
  const scanner = () => {
    const [file, label] = field("scanFile", { type: "file", accept: "image/png" });
    return box([el("h2", text("scanTitle")), form([label, file, submitButton("scan")], () => {
      const picture = file.files[0];
      if (!picture) return file.focus();
      if (picture.size > 1048576) return say("bad", text("error.tooLarge"));
      send("/scan", "image/png", picture);
    })]);
  };
  const paster = () => {
    const [link, label] = field("paste", { type: "text", maxlength: "4096" });
    return box([el("h2", text("pasteTitle")), form([label, link, submitButton("open")], () => {
      if (!link.value.trim()) return link.focus();
      act({ do: "open", text: link.value.trim() });
    })]);
  };
  const accounts = () => {
    if (!state.accounts.length) return el("p", text("noAccounts"));
    return el("ul", state.accounts.map((account) => el("li", [
      el("strong", account.username), document.createElement("br"),
      account.keys.map((key) => text(key.kind) + (key.usable ? "" : " (" + text("unusable") + ")")).join(", "),
      document.createElement("br"), account.server])), { class: "plain" });
  };
  /* Push messages come in at the top: counted from the end, an item keeps its number. */
  const items = () => state.pending.map((item, index) => {
    const number = state.pending.length - index;
    return part(["item", number, item], () => el("li", [
      item.title || (item.beganAt ? text("began", new Date(item.beganAt).toLocaleTimeString(language)) : text("push")),
      button("show", () => act({ do: "choose", number: state.pending.length - number }, null), "second")]));
  });
  const waiting = () => part(["waiting"], () => box([el("h2", text("pending")), el("ul", null, { class: "plain" })]),
    (node) => place(node.querySelector("ul"), items()));
  const pending = () => {
    const isEmpty = !state.pending.length;
    return [isEmpty ? part(["nothing"], () => box([el("h2", text("pending")), el("p", text("nothingPending"))])) : waiting(),
      part(["fetch", isEmpty], () => box([button("fetch", () => act({ do: "fetchPending" }, null), isEmpty ? "" : "second")]))];
  };
  const sure = (parts, explanation, action) => {
    const node = el("div");
    const ask = () => {
      const yes = button("yes", action, "danger");
      node.replaceChildren(el("p", explanation), yes, button("cancel", () => { node.replaceChildren(parts(ask)); }, "second"));
      yes.focus();
    };
    node.append(parts(ask));
    return node;
  };
  const settings = () => [part(["name"], naming), part(["keys", state.accounts], keys)];
  const naming = () => {
    const [name, label] = field("rename", { type: "text", maxlength: "64" });
    name.value = state.phone.name;
    return box([el("h2", text("settings")),
      form([label, name, submitButton("save")], () => { if (name.value.trim()) act({ do: "rename", text: name.value.trim() }, null); })]);
  };
  const keys = () => {
    const has = (kind) => state.accounts.some((account) => account.keys.some((key) => key.kind === kind));
    const parts = [];
    if (has("pin")) parts.push(button("changePin", () => act({ do: "changePIN" }, null), "second"));
    if (has("password")) parts.push(button("changePassword", () => act({ do: "changePassword" }, null), "second"));
    state.accounts.forEach((account, number) => parts.push(
      sure((ask) => button("deregister", ask, "danger", account.username), text("sure"), () => act({ do: "deregister", number }, null))));
    parts.push(sure((ask) => button("lose", ask, "danger"), text("loseText"), () => act({ do: "lose" }, null)));
    return box(parts);
  };
  const stored = () => {
    const phone = state.phone;
    const isChip = phone.keyProtection !== "software";
    const pair = (key, value) => [el("dt", text(key)), el("dd", value)];
    return [el("h2", text("storedTitle")),
      el("dl", [...pair("folder", phone.folder), ...pair("keys", text(phone.keyProtection)),
        ...pair("counters", text(isChip ? "countersChip" : "countersSoftware")), ...pair("secrets", text("secretsText"))]),
      el("table", [
        el("thead", [el("tr", [el("th", text("file"), { scope: "col" }), el("th", text("size"), { scope: "col" })])]),
        el("tbody", phone.files.map((file) => el("tr", [el("td", file.name), el("td", String(file.size))])))])];
  };

  /* Questions */
  const refusals = (question, canReport) => {
    const parts = [button(canReport ? "deny" : "cancel", () => act({ do: "decline" }, question.number), "second")];
    if (canReport) parts.push(button("report", () => act({ do: "decline", reported: true }, question.number), "danger"));
    return parts;
  };
  const signed = (question) => question.text === undefined ? [] :
    [el("div", question.text, { class: "text", tabindex: "0", role: "group", "aria-label": text("confirmTitle") })];
  const choices = (question, name) => question.choices.map((choice, number) =>
    button(name(choice), () => act({ do: "choose", number }, question.number ?? null), "second"));

  const account = (question) => {
    if (question.number === undefined) {
      return [el("h2", text("choiceTitle")), ...choices(question, (name) => name), button("cancel", () => act({ do: "decline" }, null), "second")];
    }
    if (!question.consent) return [el("h2", text("choiceTitle")), ...choices(question, (name) => name), ...refusals(question, true)];
    const title = question.text === undefined ? "accountTitle" : "confirmTitle";
    return [el("h2", text(title)), el("p", text("accountText", question.choices.join(", "))), ...signed(question),
      button(question.text === undefined ? "goOn" : "confirm", () => act({ do: "accept" }, question.number)),
      ...refusals(question, true)];
  };
  const authenticator = (question) => {
    const asks = el("p", text("asks", question.server, question.username));
    if (question.consent) {
      return [el("h2", text("confirmTitle")), asks, ...signed(question),
        button("confirm", () => act({ do: "accept" }, question.number)), ...refusals(question, true)];
    }
    const list = question.choices.length ? choices(question, (kind) => kind) : [el("p", text("noChoice"), { class: "error" })];
    return [el("h2", text("authenticatorTitle")), asks, ...signed(question), ...list, ...refusals(question, true)];
  };
  const digits = (question) => {
    const [input, label] = field("digits", {
      type: "text", inputmode: "numeric", maxlength: String(question.digitCount), class: "secret" });
    const parts = [el("h2", text("digitsTitle")), el("p", text("digitsText", question.digitCount)), ...signed(question)];
    if (question.error) parts.push(el("p", question.error, { class: "error" }));
    parts.push(form([label, input, submitButton("ok")], () => act({ do: "digits", text: input.value.replace(/ /g, "") }, question.number)),
      ...refusals(question, true));
    return parts;
  };
  const compare = (question) => [el("h2", text("compareTitle")), ...signed(question), el("p", text("compareText")),
    el("p", question.digits, { class: "digits" }), button("same", () => act({ do: "accept" }, question.number)),
    button("differ", () => act({ do: "decline" }, question.number), "second"),
    button("report", () => act({ do: "decline", reported: true }, question.number), "danger")];
  const deregistration = (question) => [el("h2", text("deregistrationTitle")),
    el("p", text("deregistrationText", question.server, question.choices.join(", "))),
    button("remove", () => act({ do: "accept" }, question.number), "danger"), ...refusals(question, false)];

  const entry = (question) => {
    const isPin = /pin$/i.test(question.kind);
    const isNew = question.kind.startsWith("new");
    const title = { pin: "enterPin", password: "enterPassword" }[question.kind] ?? question.kind;
    const kind = { type: "password", class: "secret", maxlength: "1024" };
    if (isPin) kind.inputmode = "numeric";
    const [input, label] = field(isPin ? "pin" : "password", kind);
    const [again, againLabel] = field("again", kind);
    const parts = [el("h2", text(title))];
    if (question.username) parts.push(el("p", question.username));
    if (question.error) parts.push(el("p", question.error, { class: "error" }));
    if (question.attemptsLeft !== undefined) parts.push(el("p", text("wrong", question.attemptsLeft), { class: "error" }));
    if (isNew) parts.push(el("p", text(isPin ? "pinPolicy" : "passwordPolicy")));
    const submit = submitButton("ok");
    const node = form(isNew ? [label, input, againLabel, again, submit] : [label, input, submit], async () => {
      if (!input.value) return input.focus();
      if (isNew && input.value !== again.value) { again.value = ""; again.focus(); return say("bad", text("differs")); }
      const value = input.value;
      input.value = again.value = "";
      await secret(value, question.number);
    });
    if (question.wait) countDown(question.wait, node, submit, input);
    return [...parts, node, ...refusals(question, false)];
  };
  const countDown = (seconds, node, submit, input) => {
    const end = Date.now() + seconds * 1000;
    const count = el("p", "", { class: "count", role: "timer" });
    submit.disabled = input.disabled = true;
    node.prepend(count);
    const tick = () => {
      const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      count.textContent = left ? text("wait", left) : "";
      if (left) return;
      clearInterval(timer);
      submit.disabled = input.disabled = false;
      input.focus();
    };
    timer = setInterval(tick, 250);
    tick();
  };
  const presence = (question) => [el("h2", text(question.kind === "passcode" ? "passcodeTitle" : "presence")),
    button("goOn", () => act({ do: "accept" }, question.number)), ...refusals(question, false)];
  const questions = { account, authenticator, digits, compare, deregistration, presence, passcode: presence };

  const content = () => {
    const alone = (key, build) => [part(key, () => box(build()))];
    const question = state.question;
    if (state.lost) return alone(["lost"], () => [el("h2", text("lose")), el("p", text("lost"))]);
    if (question) return alone(["question", question.number, question.kind], () => (questions[question.kind] ?? entry)(question));
    if (state.busy) {
      return alone(["busy"], () => [el("p", text("busy"), { class: "count" }),
        button("takeBack", () => act({ do: "decline" }, null), "second")]);
    }
    return tab === "stored" ? alone(["stored", state.phone], stored) : { home, pending, settings }[tab]();
  };
  const tabs = ["home", "pending", "settings", "stored"].map((name) => [name, el("button", null, {
    type: "button", onclick: () => { tab = name; render(); } })]);
  document.getElementById("tabs").append(...tabs.map(([, node]) => node));
  const renderTabs = () => {
    for (const [name, node] of tabs) {
      const count = name === "pending" && state.pending.length ? " (" + state.pending.length + ")" : "";
      node.textContent = text(name) + count;
      if (name === tab) node.setAttribute("aria-current", "page");
      else node.removeAttribute("aria-current");
      node.disabled = Boolean(state.question || state.busy || state.lost);
    }
  };
  const render = () => {
    document.documentElement.lang = language;
    document.title = state.phone.name + " · Signet";
    document.getElementById("name").textContent = state.phone.name;
    document.getElementById("server").textContent = state.phone.server;
    for (const node of document.querySelectorAll("[data-text]")) node.textContent = text(node.dataset.text);
    renderTabs();
    const isOther = place(screen, content());
    /* The first thing to do has the focus, so that the keyboard alone is enough. */
    const wasAsking = isAsking;
    isAsking = Boolean(state.question);
    if (isAsking && isOther) (screen.querySelector("input:not(:disabled)") ?? screen).focus();
    else if (wasAsking && !isAsking) screen.focus();
  };
  const tell = () => {
    const notice = state.notice;
    const also = state.pending.length ? [["", text("waiting", state.pending.length)]] : [];
    if (!notice) return announce(also);
    const isGood = ["registered", "confirmed", "deregistered", "secretChanged", "renamed", "ended"].includes(notice.word);
    const about = notice.word === "failed" ? notice.sentence ?? "" : notice.names.join(", ");
    announce([[isGood ? "good" : "bad", text("notice." + notice.word, about)], ...also]);
  };
  const languages = document.getElementById("language");
  for (const [code, name] of [["de", "Deutsch"], ["en", "English"], ["fr", "Français"], ["it", "Italiano"]]) {
    languages.append(el("option", name, { value: code, lang: code }));
  }
  languages.value = language;
  languages.addEventListener("change", () => {
    language = languages.value;
    localStorage.setItem("signet-language", language);
    if (state) { render(); tell(); }
  });

  const follow = async () => {
    for (;;) {
      try {
        const headers = { "Signet-Page": token };
        if (state) headers["Signet-Known"] = String(state.revision);
        /* Without the cache of the browser, in which a second tab would wait for the answer that the first one waits for. */
        const answer = await fetch("/state", { headers, cache: "no-store" });
        if (!answer.ok) throw new Error("refused");
        const next = await answer.json();
        const isOther = !state || next.revision !== state.revision;
        state = next;
        if (isOther) { tell(); render(); }
      } catch {
        say("bad", text("offline"));
        await new Promise((done) => setTimeout(done, 2000));
      }
    }
  };
  follow();
})();
