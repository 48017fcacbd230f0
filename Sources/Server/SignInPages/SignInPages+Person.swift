import BackendAPI
import Octets
package import OpenID
package import ServerCore

/// Page and file of everything that is kept of a person.
extension SignInPages {
    /// Exports of one person in ``dataWindow``: each reads the whole audit.
    private static let dataLimit = 6
    private static let dataWindow = ServerSettings.attemptMemory

    package func personalData(
        of session: BrowserSession, reader: PageReader, isFile: Bool
    ) async throws(ServerError) -> PersonAnswer {
        guard let persons else { throw .notConfigured }
        guard ports.wall.now() - session.authenticatedAt <= Self.freshness else { return .confirmFirst }
        let key = AttemptKey(of: "personal-data\0\(session.userID.text)".utf8)
        let now = ports.clock.now()
        let count = try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.countAttempt(key, since: now - Self.dataWindow, at: now).count
        }
        guard count <= Self.dataLimit else { return .page(refusalPage(.unavailable, reader: reader)) }
        let record = try await persons.export(session.userID, isForPerson: true)
        if isFile { return .file(record.json) }
        let token = FormToken(cookie: reader.cookies.provider, session: Self.devicesClient)
        let query = reader.language.map { "?lang=\($0.rawValue)" } ?? ""
        return .page(
            personPage(
                record, texts(for: reader),
                ["action": .text("/my-devices\(query)"), "formToken": .text(token?.text ?? "")]))
    }

    /// The page as a file that needs no server, in English; UTF-8.
    package func personFile(_ record: PersonRecord) -> [UInt8] {
        let style = "data:text/css;base64,\(Base64.encode(PageAsset.style.octets(in: theme)))"
        return personPage(record, texts(in: .english), ["stylesheet": .text(style), "logo": .flag(false)]).html
    }

    private func personPage(
        _ record: PersonRecord, _ texts: PageTexts, _ values: [String: PageValue]
    ) -> PageAnswer {
        var values = values
        values["wide"] = .flag(true)
        values["isoDate"] = .text(record.exportedAt.iso8601)
        values["parts"] = .list(
            record.parts.map { part in
                [
                    "id": .text(part.name.rawValue), "heading": .text(texts[part.name.heading]),
                    "none": .flag(part.rows.isEmpty),
                    "entries": .list(
                        part.rows.map { row in
                            ["members": .list(row.map { ["name": .text($0.name), "value": .text($0.text)] })]
                        }),
                ]
            })
        return page(.person, titled: texts[.data], values, texts)
    }
}

extension PersonRecord.Part.Name {
    fileprivate var heading: PageText {
        switch self {
        case .account: .dataAccount
        case .devices: .dataDevices
        case .credentials: .dataCredentials
        case .operations: .dataOperations
        case .sessions: .dataSessions
        case .grants: .dataGrants
        case .history: .history
        case .receipts: .dataReceipts
        case .audit: .dataAudit
        }
    }
}
