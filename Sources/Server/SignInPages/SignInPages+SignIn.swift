import BackendAPI
package import OpenIDProvider
package import ServerCore

/// Sign-in, consent and payment page.
extension SignInPages {
    package func signInPage(
        _ entry: OpenSignIn, begun: BegunConfirmation?, state: ConfirmationState, reader: PageReader
    ) async throws(ServerError) -> PageAnswer {
        let texts = texts(for: reader)
        let session = entry.session
        let text = session.parameters.text
        let title = texts[text == nil ? .signIn : .confirmText]
        let id = session.id.text
        let query = reader.language.map { "?lang=\($0.rawValue)" } ?? ""
        let token = FormToken(cookie: reader.cookies.browser, session: id)
        var values: [String: PageValue] = [
            "headline": .text(title), "lead": .text(texts[text == nil ? .signInLead : .confirmLead]),
            "client": .text(entry.client.name.asName()), "origin": .text(session.parameters.redirect.origin),
            "text": PageValue(text), "action": .text("/sign-in/\(id)\(query)"), "session": .text(id),
            "formToken": .text(token?.text ?? ""), "round": .text(String(session.round)), "script": .flag(true),
        ]
        values.merge(PageStep(state, texts).values) { $1 }
        values.merge(ceremony(entry, begun, state, texts)) { $1 }
        values.merge(reader.facts(texts)) { $1 }
        values.merge(languages(texts)) { $1 }
        return page(.signIn, titled: title, values, texts, formTarget: session.parameters.redirect.origin)
    }

    /// QR code, digits and forms, as far as the state has them.
    private func ceremony(
        _ entry: OpenSignIn, _ begun: BegunConfirmation?, _ state: ConfirmationState, _ texts: PageTexts
    ) -> [String: PageValue] {
        guard !state.isFinal else { return ["kind": .text("none"), "expiresIn": .text("0")] }
        let session = entry.session
        let seconds = begun.map { max(0, ($0.expiresAt - ports.clock.now()).components.seconds) } ?? 0
        let hasCode = begun?.link != nil
        let digits = begun?.digits
        var values: [String: PageValue] = [
            "kind": .text(hasCode ? "code" : "push"), "expiresIn": .text(String(seconds)), "code": .flag(hasCode),
            "link": PageValue(begun?.link?.text), "push": .flag(hasCode), "showCode": .flag(!hasCode),
            "pushed": .flag(!hasCode), "hint": PageValue(session.parameters.loginHint?.asName()),
            "codeAddress": .text("/sign-in-code/\(session.id.text)?round=\(session.round)"),
        ]
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
