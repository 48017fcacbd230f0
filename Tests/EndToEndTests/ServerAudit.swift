import DeviceCommands
import Foundation
import ServerCore
import ServerPersistence
import ServerPersistenceSQLite
import StrictJSON
import Testing

/// What a server that has stopped has written into its audit.
struct ServerAudit {
    /// How often each ceremony ended with a success.
    private(set) var successes: [String: Int] = [:]
    /// How often the token of each operation was exchanged for its request.
    private(set) var redemptions: [String: Int] = [:]

    /// Reads the database of a server and follows its chain of hashes.
    init(of server: LocalServer) async throws {
        let database = try SQLiteDatabase(path: server.databaseFile.path())
        let audit = AuditService(log: SQLStorage.ports(on: database, chainID: "reader").audit)
        let report = try await audit.verify()
        #expect(report.breaks.isEmpty, "the audit was changed")
        for chain in report.intactRecords.keys { try await read(chain, of: audit) }
        try database.close()
    }

    private mutating func read(_ chain: String, of audit: AuditService) async throws {
        var last: Int64 = 0
        while true {
            let records = try await audit.records(of: chain, after: last)
            for record in records { try count(JSONParser.parse(record.event).asObject()) }
            guard let end = records.last?.sequence else { return }
            last = end
        }
    }

    private mutating func count(_ event: JSONObject) throws {
        let successes = [AuditEvent.Kind.registrationSucceeded, .authenticationSucceeded].map(\.rawValue)
        guard case .string(let kind)? = event["event"] else { return }
        if successes.contains(kind) { self.successes[try event.string("sessionId"), default: 0] += 1 }
        if kind == AuditEvent.Kind.tokenRedeemed.rawValue {
            redemptions[try event.string("sessionId"), default: 0] += 1
        }
    }
}
