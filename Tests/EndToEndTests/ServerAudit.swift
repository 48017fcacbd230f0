import CommandSupport
import DemoCommands
import ServerCore
import StrictJSON
import Testing

/// Content of the audit of a server, as its commands verify and export it.
struct ServerAudit {
    /// How often each ceremony ended with a success.
    private(set) var successes: [String: Int] = [:]
    /// How often the token of each operation was exchanged for its request.
    private(set) var redemptions: [String: Int] = [:]
    /// How many records there are of each kind about each key and each ceremony.
    private var counts: [String: Int] = [:]

    /// Follows the chain of hashes of a server, and reads all records.
    init(of server: LocalServer) async throws {
        let verification = try await Self.verification(on: server)
        #expect(verification.isDone, "\(verification.message)")
        for line in try await server.exportedAudit() {
            let record = try JSONParser.parse(line).asObject()
            try count(record.required("event") { value throws(JSONTypeError) in try value.asObject() })
        }
    }

    /// A server that was killed counts as running until its entry in the database is too old, and the command waits for none.
    private static func verification(on server: LocalServer) async throws -> CommandOutcome {
        let end = ContinuousClock.now + .seconds(180)
        while true {
            let outcome = try await server.administer("audit verify")
            guard outcome.error == "serverUnreachable", ContinuousClock.now < end else { return outcome }
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// Number of records of a kind about a key, by its hash, or about a ceremony.
    func count(of kind: AuditEvent.Kind, about subject: String) -> Int { counts["\(kind.rawValue) \(subject)"] ?? 0 }

    private mutating func count(_ event: JSONObject) throws {
        let kind = try event.string("event")
        let (ceremony, key) = (try event.optionalString("sessionId"), try event.optionalString("keyIdHash"))
        for subject in [ceremony, key].compactMap({ $0 }) { counts["\(kind) \(subject)", default: 0] += 1 }
        guard let ceremony else { return }
        switch kind {
        case AuditEvent.Kind.registrationSucceeded.rawValue, AuditEvent.Kind.signedIn.rawValue:
            successes[ceremony, default: 0] += 1
        case AuditEvent.Kind.tokenRedeemed.rawValue: redemptions[ceremony, default: 0] += 1
        default: break
        }
    }
}
