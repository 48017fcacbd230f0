// <signet-sign-in>: a button that signs people in at a Signet server, for any page. One file, nothing from elsewhere.
//
// <signet-sign-in issuer="https://login.example.com" client-id="shop" redirect-uri="https://shop.example.com/signed-in"
//   code-challenge="..." state="..." nonce="..." scope="openid profile" mode="popup"></signet-sign-in>
//
// The page listens to "signet-result", whose detail is {code, state, iss}; its server exchanges the code, and only there is the
// verifier. In a pop-up the page of redirect-uri holds <signet-result></signet-result>, which hands the answer to the page that
// began, over a channel of its own origin: no other site can read or send there. With mode="page" the browser goes there itself.
"use strict";
(() => {
  const channelName = "signet-sign-in";
  const labels = {
    de: ["Mit dem Telefon anmelden", "Bestätigen Sie in dem neuen Fenster …", "Die Anmeldung wurde nicht bestätigt.",
      "Sie können dieses Fenster schliessen."],
    en: ["Sign in with your phone", "Confirm in the new window …", "The sign-in was not confirmed.",
      "You can close this window."],
    fr: ["Se connecter avec le téléphone", "Confirmez dans la nouvelle fenêtre …", "La connexion n’a pas été confirmée.",
      "Vous pouvez fermer cette fenêtre."],
    it: ["Accedi con il telefono", "Conferma nella nuova finestra …", "L’accesso non è stato confermato.",
      "Puoi chiudere questa finestra."],
  };
  const css = `
    :host { display: inline-block; font: inherit; color-scheme: light dark; }
    button { min-height: 2.75rem; padding: .5rem 1.25rem; font: inherit; font-weight: 600; border: 1px solid #0b3d91; border-radius: .625rem;
      color: #fff; background: #0b3d91; cursor: pointer; }
    button:hover { text-decoration: underline; }
    button:disabled { color: #3f4652; background: #e3e6ea; border-color: #3f4652; cursor: not-allowed; }
    button:focus-visible { outline: 3px solid #0b3d91; outline-offset: 3px; }
    p { margin: .5rem 0 0; } p:empty { margin: 0; }
    @media (prefers-color-scheme: dark) {
      button { color: #0b1a33; background: #a9c7ff; border-color: #a9c7ff; } button:focus-visible { outline-color: #a9c7ff; }
      button:disabled { color: #c5cbd5; background: #2a2f38; border-color: #c5cbd5; }
    }`;

  // Texts in the language of an element, or of the browser.
  function textsFor(element) {
    const language = (element.closest("[lang]")?.lang || navigator.language || "en").slice(0, 2).toLowerCase();
    return labels[language] ?? labels.en;
  }

  // Answer in an address, as RFC 6749 and RFC 9207 write it; null when it is none, or a name stands twice.
  function answerIn(search) {
    const fields = new URLSearchParams(search);
    const one = (name) => (fields.getAll(name).length === 1 ? fields.get(name) : null);
    const [code, error, state, iss] = [one("code"), one("error"), one("state"), one("iss")];
    if (!state || !iss || (code === null) === (error === null)) return null;
    return code === null ? { error, state, iss } : { code, state, iss };
  }

  function isAnswer(value) {
    return value !== null && typeof value === "object" && typeof value.state === "string" && typeof value.iss === "string"
      && (typeof value.code === "string") !== (typeof value.error === "string");
  }

  class SignInElement extends HTMLElement {
    static observedAttributes = ["issuer", "client-id", "redirect-uri", "code-challenge", "state"];
    #button = document.createElement("button");
    #note = document.createElement("p");
    #channel = null;
    #texts = labels.en;

    constructor() {
      super();
      const root = this.attachShadow({ mode: "open", delegatesFocus: true });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      root.adoptedStyleSheets = [sheet];
      this.#button.type = "button";
      this.#button.part = "button";
      this.#button.addEventListener("click", () => this.begin());
      this.#note.setAttribute("role", "status");
      root.append(this.#button, this.#note);
    }

    connectedCallback() {
      this.#texts = textsFor(this);
      this.attributeChangedCallback();
      this.#takeFromAddress();
    }

    disconnectedCallback() { this.#close(); }

    attributeChangedCallback() {
      this.#button.textContent = this.getAttribute("label") ?? this.#texts[0];
      this.#button.disabled = this.address === null;
    }

    // Address of the authorization endpoint with the request; null while an attribute is missing or wrong.
    get address() {
      const [issuer, client, redirect] = ["issuer", "client-id", "redirect-uri"].map((name) => this.getAttribute(name));
      const [challenge, state] = ["code-challenge", "state"].map((name) => this.getAttribute(name));
      if (!issuer || !client || !redirect || !state || !/^[A-Za-z0-9_-]{43}$/.test(challenge ?? "")) return null;
      let target;
      try { target = new URL(`${issuer.replace(/\/$/, "")}/oauth2/authorize`); } catch { return null; }
      if (target.protocol !== "https:" && !["localhost", "127.0.0.1", "[::1]"].includes(target.hostname)) return null;
      if (target.protocol !== "https:" && target.protocol !== "http:") return null;
      const fields = {
        response_type: "code", client_id: client, redirect_uri: redirect, scope: this.getAttribute("scope") ?? "openid",
        code_challenge: challenge, code_challenge_method: "S256", state,
      };
      for (const [name, value] of Object.entries(fields)) target.searchParams.set(name, value);
      for (const [name, attribute] of [["nonce", "nonce-value"], ["login_hint", "login-hint"], ["ui_locales", "ui-locales"]]) {
        const value = attribute === "nonce-value" ? this.nonce || this.getAttribute("nonce") : this.getAttribute(attribute);
        if (value) target.searchParams.set(name, value);
      }
      return target.href;
    }

    begin() {
      const address = this.address;
      if (address === null) return;
      if (this.getAttribute("mode") === "page") {
        location.assign(address);
        return;
      }
      this.#close();
      this.#channel = new BroadcastChannel(channelName);
      this.#channel.addEventListener("message", (event) => this.#take(event.data));
      // The page of the server cuts itself off from its opener, so that nothing is asked of the window.
      window.open(address, "_blank", "popup,width=520,height=760");
      this.#note.textContent = this.#texts[1];
    }

    // Takes an answer of this sign-in; answers of other tabs and servers are not for this page.
    #take(answer) {
      if (!isAnswer(answer) || answer.state !== this.getAttribute("state")) return;
      if (answer.iss !== this.getAttribute("issuer")) {
        this.#tell("signet-error", { error: "issuer_mismatch" });
        return;
      }
      this.#close();
      if (answer.code === undefined) {
        this.#note.textContent = this.#texts[2];
        this.#tell("signet-error", { error: answer.error });
      } else {
        this.#note.textContent = "";
        this.#tell("signet-result", { code: answer.code, state: answer.state, iss: answer.iss });
      }
    }

    #takeFromAddress() {
      const own = this.getAttribute("redirect-uri");
      const answer = answerIn(location.search);
      if (!answer || own !== location.origin + location.pathname) return;
      history.replaceState(history.state, "", location.pathname);
      // Scripts of the page that listen may stand after this one.
      if (document.readyState === "complete") queueMicrotask(() => this.#take(answer));
      else addEventListener("load", () => this.#take(answer), { once: true });
    }

    #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true })); }

    #close() {
      this.#channel?.close();
      this.#channel = null;
    }
  }

  // Element of the page of redirect-uri: hands the answer over and closes the window.
  class ResultElement extends HTMLElement {
    connectedCallback() {
      const answer = answerIn(location.search);
      if (!answer) return;
      history.replaceState(null, "", location.pathname);
      const channel = new BroadcastChannel(channelName);
      channel.postMessage(answer);
      channel.close();
      // Not every browser lets a window close itself that has been at another site meanwhile.
      this.textContent = textsFor(this)[3];
      window.close();
    }
  }

  if (!customElements.get("signet-sign-in")) customElements.define("signet-sign-in", SignInElement);
  if (!customElements.get("signet-result")) customElements.define("signet-result", ResultElement);
})();
