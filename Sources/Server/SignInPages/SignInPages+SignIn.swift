import BackendAPI
package import OpenID
package import ServerCore

extension SignInPages {
    package func signInPage(
        _ entry: OpenSignIn, begun: BegunConfirmation?, state: ConfirmationState, refusal: PasskeySignInRefusal? = nil,
        reader: PageReader
    ) async throws(ServerError) -> PageAnswer {
        let texts = texts(for: reader)
        let session = entry.session
        var values = frame(entry, reader, texts)
        values["text"] = PageValue(session.parameters.text)
        values["session"] = .text(session.id.text)
        values["round"] = .text(String(session.round))
        values["script"] = .flag(true)
        values["recovery"] = .flag(hasRecovery)
        values.merge(PageStep(state, texts).values) { $1 }
        values.merge(ceremony(entry, begun, state, texts)) { $1 }
        if begun?.link != nil, !state.isFinal {
            values["push"] = .text(path(of: session, reader, view: "push"))
        }
        values.merge(reader.facts(texts)) { $1 }
        values["refusal"] = PageValue(refusal.map { texts[$0.text] })
        let takesPasskeys = takesPasskeys(entry, state)
        values["passkey"] = .flag(takesPasskeys)
        var page = page(
            .signIn, titled: title(entry, texts), values, texts, formTarget: session.parameters.redirect.origin)
        page.passkeys = takesPasskeys ? .get : nil
        return page
    }

    package func usernamePage(_ entry: OpenSignIn, reader: PageReader) -> PageAnswer {
        let texts = texts(for: reader)
        var values = frame(entry, reader, texts)
        values["hint"] = PageValue(entry.session.parameters.loginHint?.asName())
        values["asksName"] = .flag(true)
        return page(
            .username, titled: title(entry, texts), values, texts, formTarget: entry.session.parameters.redirect.origin)
    }

    /// Values that both pages show: where the person will be signed in, the form, and the languages.
    private func frame(_ entry: OpenSignIn, _ reader: PageReader, _ texts: PageTexts) -> [String: PageValue] {
        let session = entry.session
        let token = FormToken(cookie: reader.cookies.browser, session: session.id.text)
        let values: [String: PageValue] = [
            "headline": .text(title(entry, texts)),
            "lead": .text(texts[session.parameters.text == nil ? .signInLead : .confirmLead]),
            "client": .text(entry.client.name.asName()), "origin": .text(session.parameters.redirect.shownOrigin),
            "action": .text(path(of: session, reader)), "formToken": .text(token?.text ?? ""),
        ]
        return values.merging(languages(texts)) { $1 }
    }

    private func title(_ entry: OpenSignIn, _ texts: PageTexts) -> String {
        texts[entry.session.parameters.text == nil ? .signIn : .confirmText]
    }

    private func path(of session: AuthorizationSession, _ reader: PageReader, view: String? = nil) -> String {
        let query = [reader.language.map { "lang=\($0.rawValue)" }, view.map { "view=\($0)" }].compactMap(\.self)
        return "/sign-in/\(session.id.text)" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// QR code, digits and ways on, as far as the state has them.
    private func ceremony(
        _ entry: OpenSignIn, _ begun: BegunConfirmation?, _ state: ConfirmationState, _ texts: PageTexts
    ) -> [String: PageValue] {
        guard !state.isFinal else { return ["kind": .text("none"), "renewsIn": .text("0")] }
        let session = entry.session
        let seconds = begun?.secondsToRenewal(at: ports.clock.now()) ?? 0
        let hasCode = begun?.link != nil
        let digits = begun?.digits
        var values: [String: PageValue] = [
            "kind": .text(hasCode ? "code" : "push"), "renewsIn": .text(String(seconds)), "code": .flag(hasCode),
            "link": PageValue(begun?.link?.text), "showCode": .flag(!hasCode), "pushed": .flag(!hasCode),
            "codeAddress": .text("/sign-in-code/\(session.id.text)?round=\(session.round)"),
        ]
        // The phone page of a trial is a page beside; an application of the system takes the link by itself.
        values["beside"] = .flag(begun?.link?.text.hasPrefix("http:") ?? false)
        guard let digits else { return values }
        values["digits"] = .text(digits.digits)
        values["spoken"] = .text(digits.digits.map(String.init).joined(separator: " "))
        values["digitsAdvice"] = .text(texts[digits.mode == .compare ? .digitsCompare : .digitsEnter])
        return values
    }
}

/// State of a sign-in in words and in what the page offers.
private struct PageStep {
    let values: [String: PageValue]

    init(_ state: ConfirmationState, _ texts: PageTexts) {
        let (name, text, style) = Self.words(state)
        values = [
            "state": .text(name), "stateText": .text(texts[text]), "stateClass": .text(style),
            "confirmed": .flag(name == "confirmed"), "again": .flag(name == "denied" || name == "expired"),
            "refresh": .flag(!state.isFinal),
        ]
    }

    private static func words(_ state: ConfirmationState) -> (name: String, text: PageText, style: String) {
        switch state {
        case .waiting: ("waiting", .stateWaiting, "waiting")
        case .shown: ("shown", .stateShown, "waiting")
        case .confirmed: ("confirmed", .stateConfirmed, "good")
        case .denied(let isReported): ("denied", isReported ? .stateReported : .stateDenied, "bad")
        case .expired, .unknown: ("expired", .stateExpired, "bad")
        }
    }
}

extension PageReader {
    /// Particulars by which people tell whether the request is theirs.
    fileprivate func facts(_ texts: PageTexts) -> [String: PageValue] {
        [
            "browser": .text(BrowserName(userAgent: client.userAgent).text ?? texts[.unknown]),
            "network": .text(client.address?.asName() ?? texts[.unknown]),
        ]
    }
}
