import BackendAPI
import Octets
package import OpenID
package import ServerCore
import UAF

extension SignInPages {
    package func visitor(_ cookies: BrowserCookies) async throws(ServerError) -> PageVisitor? {
        settings.hasMyDevices ? try await holder(of: cookies) : nil
    }

    /// User and session of a browser at the provider; nil without a session that holds.
    func holder(of cookies: BrowserCookies) async throws(ServerError) -> PageVisitor? {
        guard let cookie = cookies.provider?.reveal() else { return nil }
        let hash = ProviderCookieHash(of: cookie.utf8)
        let (now, wait) = (ports.clock.now(), removalWait)
        return try await transactions.read { snapshot throws(ServerTransactionFailure) -> PageVisitor? in
            guard let session = try snapshot.browserSession(hash), session.expiresAt > now,
                session.binding.isShown(by: cookies, at: now),
                let user = try snapshot.user(session.userID),
                try snapshot.admission(by: session, of: user, at: now, wait: wait) == .granted
            else { return nil }
            return PageVisitor(user: user, session: session)
        }
    }

    /// The code that comes back is never exchanged: the session of the browser is what counts, and the verifier of the
    /// challenge is thrown away.
    package func devicesSignIn(isFresh: Bool) -> String {
        let state = Base64URL.encode(ports.random.bytes(count: 16))
        return signIn(to: "\(issuer)/my-devices", of: Self.devicesClient, isFresh: isFresh, state: state)
    }

    func signIn(to page: String, of client: String, isFresh: Bool, state: String) -> String {
        let challenge = Base64URL.encode(ports.random.bytes(count: 32))
        let redirect = PathComponent.encode(page)
        let path = "/oauth2/authorize?response_type=code&scope=openid&client_id=\(client)"
        return "\(path)&redirect_uri=\(redirect)&code_challenge=\(challenge)&code_challenge_method=S256&state=\(state)"
            + (isFresh ? "&prompt=login" : "")
    }

    package func devicesPage(of user: User, reader: PageReader) async throws(ServerError) -> PageAnswer {
        try await devicesPage(of: user, confirmedBy: [], notice: nil, status: 200, reader: reader)
    }

    func devicesPage(
        of user: User, confirmedBy registrations: [RegistrationID], notice: PageText?, status: Int, reader: PageReader
    ) async throws(ServerError) -> PageAnswer {
        let texts = texts(for: reader)
        let owned = try await targets.targets(of: user.id)
        let (history, confirming) = try await account(of: user.id, registrations)
        let token = FormToken(cookie: reader.cookies.provider, session: Self.devicesClient)
        let query = reader.language.map { "?lang=\($0.rawValue)" } ?? ""
        var values: [String: PageValue] = [
            "user": .text(user.name.text.asName()), "wide": .flag(true), "none": .flag(owned.isEmpty),
            "notice": PageValue(notice.map { texts[$0] }), "noticeClass": .text(status == 200 ? "good" : "bad"),
            "action": .text("/my-devices\(query)"), "formToken": .text(token?.text ?? ""),
            "hasData": .flag(persons != nil), "hasCodes": .flag(hasRecovery),
            "hasHistory": .flag(!history.isEmpty), "history": .list(history.map { $0.values(texts) }),
        ]
        let passkeys = try await self.passkeys?.passkeys(of: user.id)
        let last: PageText = passkeys?.isEmpty == false ? .removeLastPhone : .removeLast
        let advice = texts[owned.count == 1 ? last : .removeOther]
        values["devices"] = .list(owned.map { $0.values(advice, isConfirming: confirming.contains($0.id)) })
        if let passkeys { values.merge(passkeyValues(passkeys, reader, texts)) { $1 } }
        values.merge(try await recoveryValues(of: user)) { $1 }
        values.merge(languages(texts)) { $1 }
        var page = page(.devices, titled: texts[.myDevices], values, texts, status: status)
        page.passkeys = passkeys == nil ? nil : .create
        return page
    }

    private func account(
        of user: UserID, _ registrations: [RegistrationID]
    ) async throws(ServerError) -> (history: [HistoryEntry], confirming: Set<DispatchTargetID>) {
        try await transactions.read { snapshot throws(ServerTransactionFailure) in
            (try snapshot.history(of: user), try snapshot.devices(of: registrations).known)
        }
    }
}

extension ServerSnapshot {
    /// Devices that hold the keys of some registrations, and whether that is known of each of the registrations.
    func devices(
        of registrations: [RegistrationID]
    ) throws(ServerTransactionFailure) -> (known: Set<DispatchTargetID>, isComplete: Bool) {
        var known: Set<DispatchTargetID> = []
        var isComplete = !registrations.isEmpty
        for registration in registrations {
            if let device = try credential(registeredAs: registration)?.targetID {
                known.insert(device)
            } else {
                isComplete = false
            }
        }
        return (known, isComplete)
    }
}

extension DispatchTarget {
    fileprivate func values(_ advice: String, isConfirming: Bool) -> [String: PageValue] {
        var receivesPush = false
        if case .token = destination { receivesPush = true }
        return [
            "id": .text(externalID.text), "name": .text(name.text.asName()), "push": .flag(receivesPush),
            "current": .flag(isConfirming), "removalAdvice": .text(advice), "isoDate": .text(createdAt.iso8601),
            "date": .text(createdAt.day),
        ]
    }
}

extension Timestamp {
    /// The day in UTC.
    var day: String { String(iso8601.prefix(10)) }

    /// The time in UTC, to the minute.
    var minute: String { "\(day) \(iso8601.dropFirst(11).prefix(5))" }
}

extension HistoryEntry {
    /// The entry as a row of the table; the time is in UTC, to the minute.
    fileprivate func values(_ texts: PageTexts) -> [String: PageValue] {
        [
            "isoDate": .text(at.iso8601), "date": .text(at.minute),
            "what": .text(texts[kind.text]), "client": PageValue.text(client?.asName() ?? ""),
            "device": PageValue.text(device?.asName() ?? ""), "both": .flag(client != nil && device != nil),
        ]
    }
}

extension HistoryEntry.Kind {
    var text: PageText {
        switch self {
        case .signIn: .historySignIn
        case .payment: .historyPayment
        case .denied: .historyDenied
        case .reported: .historyReported
        case .deviceAdded: .historyDeviceAdded
        case .deviceRemoved: .historyDeviceRemoved
        case .passkeyAdded: .historyPasskeyAdded
        case .passkeyRemoved: .historyPasskeyRemoved
        case .locked: .historyLocked
        case .recoveryBegun: .historyRecoveryBegun
        case .recoveryEnded: .historyRecoveryEnded
        }
    }
}
