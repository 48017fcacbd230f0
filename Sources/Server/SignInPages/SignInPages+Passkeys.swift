import BackendAPI
import Octets
import OpenID
import ServerCore

/// Passkeys at the sign-in page and on the page of the devices.
extension SignInPages {
    /// Whether a passkey may answer a sign-in in this state: a text to confirm, and a demand for more, are for phones.
    func takesPasskeys(_ entry: OpenSignIn, _ state: ConfirmationState) -> Bool {
        if passkeys == nil { return false }
        if case .confirmed = state { return false }
        let parameters = entry.session.parameters
        return parameters.text == nil && parameters.assurance.min().map { $0.signsTexts } != true
    }

    /// Shows the page with what was done; it has status 404 for a passkey that is not the user's, 403 without a fresh sign-in and
    /// 400 for any other refusal.
    func changePasskeys(
        _ change: PagePasskeyChange, _ user: User, _ session: BrowserSession, reader: PageReader
    ) async throws(ServerError) -> PageAnswer {
        guard let passkeys else { throw .notConfigured }
        let outcome: PasskeyChange?
        let done: PageText
        switch change {
        case .add(let answer, let text):
            outcome = try await add(answer, Self.name(text), to: passkeys, session, reader.client)
            done = .passkeyAdded
        case .rename(let passkey, let text):
            outcome =
                if let name = Self.name(text) {
                    try await passkeys.rename(passkey, to: name, by: session, client: reader.client)
                } else {
                    nil
                }
            done = .passkeyRenamed
        case .remove(let passkey):
            outcome = try await passkeys.remove(passkey, by: session, client: reader.client)
            done = .passkeyRemoved
        }
        let (notice, status) = Self.notice(outcome, done: done)
        return try await devicesPage(
            of: user, confirmedBy: session.evidence.registrations, notice: notice, status: status, reader: reader)
    }

    private func add(
        _ answer: Sensitive<[UInt8]>?, _ name: DeviceName?, to passkeys: any PasskeyService, _ session: BrowserSession,
        _ client: ClientContext
    ) async throws(ServerError) -> PasskeyChange? {
        guard let answer else { return .confirmFirst }
        guard let name else { return nil }
        return try await passkeys.register(answer, named: name, by: session, client: client)
    }

    /// Words and status for an outcome; nil is a name that cannot be used.
    private static func notice(_ outcome: PasskeyChange?, done: PageText) -> (PageText, status: Int) {
        switch outcome {
        case .done: (done, 200)
        case .unknown: (.passkeyUnknown, 404)
        case .confirmFirst: (.confirmRemoval, 403)
        case .unusable: (.passkeyUnusable, 400)
        case .tooMany: (.passkeyTooMany, 400)
        case nil: (.nameRefused, 400)
        }
    }

    /// Passkeys as the page lists them; the new one has the name of the browser until the user gives it another.
    func passkeyValues(_ passkeys: [Passkey], _ reader: PageReader, _ texts: PageTexts) -> [String: PageValue] {
        [
            "hasPasskeys": .flag(true), "script": .flag(true), "passkeys": .list(passkeys.map { $0.values(texts) }),
            "passkeyName": .text(BrowserName(userAgent: reader.client.userAgent).text ?? ""),
        ]
    }
}

extension Passkey {
    fileprivate func values(_ texts: PageTexts) -> [String: PageValue] {
        [
            "id": .text(id.text), "name": .text(name.text.asName()), "isoDate": .text(registeredAt.iso8601),
            "date": .text(registeredAt.day), "isoUsed": .text(usedAt?.iso8601 ?? ""), "used": PageValue(usedAt?.day),
            "kind": .text(texts[assurance == .syncedPasskey ? .passkeyOnSeveral : .passkeyOnOne]),
        ]
    }
}

extension PasskeySignInRefusal {
    var text: PageText {
        switch self {
        case .unusable: .passkeyRefused
        case .weakerThanRegistered: .passkeyWeaker
        case .weakerThanAsked: .passkeyTooWeak
        }
    }
}
