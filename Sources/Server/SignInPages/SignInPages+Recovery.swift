import BackendAPI
import Octets
import OpenID
package import ServerCore

/// A way back without a phone: codes and the end of a recovery on the page of the devices, and the page of the recovery.
extension SignInPages {
    private static let recoveryPath = "/recover"

    package var hasRecovery: Bool { recoveries != nil }

    // MARK: - Page of the devices

    /// Shows new codes; the page has status 403 without a fresh confirmation.
    func makeCodes(
        _ user: User, _ session: BrowserSession, reader: PageReader
    ) async throws(ServerError) -> PageAnswer {
        guard let recoveries else { throw .notConfigured }
        guard ports.wall.now() - session.authenticatedAt <= Self.freshness else {
            return try await devicesPage(
                of: user, confirmedBy: [], notice: .confirmRemoval, status: 403, reader: reader)
        }
        guard let codes = try await recoveries.makeCodes(by: grant(user, session), client: reader.client) else {
            throw .unauthorized
        }
        let texts = texts(for: reader)
        let values: [String: PageValue] = [
            "entries": .list(codes.map { ["code": .text($0.text)] }),
            "action": .text(path("/my-devices", reader)),
        ]
        return page(.codes, titled: texts[.codes], values, texts)
    }

    func endRecovery(
        _ user: User, _ session: BrowserSession, reader: PageReader
    ) async throws(ServerError) -> PageAnswer {
        guard let recoveries else { throw .notConfigured }
        let isEnded = try await recoveries.end(by: grant(user, session), client: reader.client)
        return try await devicesPage(
            of: user, confirmedBy: session.evidence.registrations,
            notice: isEnded ? .recoverStopped : .recoverNoneUnderWay, status: isEnded ? 200 : 404, reader: reader)
    }

    /// Codes that are left, and a recovery that is under way.
    func recoveryValues(of user: User) async throws(ServerError) -> [String: PageValue] {
        guard let account = try await recoveries?.account(of: user.id) else { return [:] }
        var values: [String: PageValue] = ["codesLeft": .text(String(account.codes))]
        guard let recovery = account.recovery else { return values }
        values["recovery"] = .flag(true)
        values["opens"] = .text(recovery.opensAt.minute)
        values["isoOpens"] = .text(recovery.opensAt.iso8601)
        return values
    }

    // MARK: - Page of a recovery

    package func recoverPage(reader: PageReader) async throws(ServerError) -> PageAnswer {
        try await recoverPage(notice: nil, status: 200, reader: reader)
    }

    package func recover(
        _ step: PageRecoveryStep, reader: PageReader
    ) async throws(ServerError) -> RecoveryAnswer {
        guard let recoveries else { throw .notConfigured }
        switch step {
        case .begin(let name, let code):
            switch try await recoveries.begin(name: name, code: code, client: reader.client) {
            case .begun(let cookie, let recovery): return .begun(cookie: cookie, expiresAt: recovery.expiresAt)
            case .wrong: return .page(recoverForm(notice: .recoverWrong, status: 403, reader: reader))
            case .throttled: return .page(recoverForm(notice: .recoverThrottled, status: 429, reader: reader))
            }
        case .remove(let phone):
            guard let cookie = reader.cookies.recovery else { throw .unauthorized }
            let isRemoved = try await recoveries.remove(phone, cookie, client: reader.client)
            return .page(
                try await recoverPage(
                    notice: isRemoved ? .removed : .deviceUnknown, status: isRemoved ? 200 : 404, reader: reader))
        case .invite: return .page(try await invite(recoveries, reader))
        }
    }

    private func invite(_ recoveries: RecoveryService, _ reader: PageReader) async throws(ServerError) -> PageAnswer {
        guard let cookie = reader.cookies.recovery else { throw .unauthorized }
        let begun: BegunConfirmation?
        do throws(ServerError) {
            begun = try await recoveries.invite(cookie, client: reader.client)
        } catch .tooManyOperations {
            return try await recoverPage(notice: .stateLater, status: 503, reader: reader)
        }
        return try await recoverPage(notice: nil, status: begun == nil ? 404 : 200, invitation: begun, reader: reader)
    }

    /// The form for name and code.
    private func recoverForm(notice: PageText?, status: Int, reader: PageReader) -> PageAnswer {
        recoverPage(["asks": .flag(true)], notice: notice, status: status, reader: reader)
    }

    private func recoverPage(
        notice: PageText?, status: Int, invitation: BegunConfirmation? = nil, reader: PageReader
    ) async throws(ServerError) -> PageAnswer {
        guard let recoveries else { throw .notConfigured }
        guard let cookie = reader.cookies.recovery else {
            return recoverForm(notice: notice, status: status, reader: reader)
        }
        guard let shown = try await recoveries.shown(cookie) else {
            return recoverForm(notice: .recoverOver, status: status, reader: reader)
        }
        var values = shown.values
        let token = FormToken(cookie: reader.cookies.recovery, session: Self.recoveryPath)
        values["formToken"] = .text(token?.text ?? "")
        values.merge(invitation?.values(texts(for: reader)) ?? [:]) { $1 }
        return recoverPage(values, notice: notice, status: status, reader: reader)
    }

    private func recoverPage(
        _ content: [String: PageValue], notice: PageText?, status: Int, reader: PageReader
    ) -> PageAnswer {
        let texts = texts(for: reader)
        var values = content
        values["action"] = .text(path(Self.recoveryPath, reader))
        values["notice"] = PageValue(notice.map { texts[$0] })
        values["noticeClass"] = .text(notice == .removed ? "good" : "bad")
        values.merge(languages(texts)) { $1 }
        return page(.recover, titled: texts[.recoverTitle], values, texts, status: status)
    }

    private func path(_ path: String, _ reader: PageReader) -> String {
        path + (reader.language.map { "?lang=\($0.rawValue)" } ?? "")
    }
}

extension RecoveryService.Shown {
    fileprivate var values: [String: PageValue] {
        [
            "waits": .flag(!isOpen), "isOpen": .flag(isOpen), "opens": .text(recovery.opensAt.minute),
            "isoOpens": .text(recovery.opensAt.iso8601), "ends": .text(recovery.expiresAt.minute),
            "isoEnds": .text(recovery.expiresAt.iso8601), "none": .flag(phones.isEmpty),
            "phones": .list(
                phones.map { phone in
                    [
                        "id": .text(phone.externalID.text), "name": .text(phone.name.text.asName()),
                        "isoDate": .text(phone.createdAt.iso8601), "date": .text(phone.createdAt.day),
                    ]
                }),
        ]
    }
}

extension BegunConfirmation {
    /// Code of an invitation, as a drawing that needs no other address.
    fileprivate func values(_ texts: PageTexts) -> [String: PageValue] {
        guard let link, let drawing = link.drawing else { return [:] }
        let side = drawing.size + 8
        var values: [String: PageValue] = [
            "code": .flag(true), "link": .text(link.text), "modules": .text(drawing.path),
            "box": .text("-4 -4 \(side) \(side)"), "side": .text(String(side)),
        ]
        guard let digits else { return values }
        values["digits"] = .text(digits.digits)
        values["spoken"] = .text(digits.digits.map(String.init).joined(separator: " "))
        values["digitsAdvice"] = .text(texts[digits.mode == .compare ? .digitsCompare : .digitsEnter])
        return values
    }
}
