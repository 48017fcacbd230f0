import BackendAPI
import BackendTransport
import CommandSupport
import DemoCommands
import Foundation
import StrictJSON
import Testing

/// What servers keep, as their commands and their key set show it.
struct Holdings {
    private let person: JSONValue
    private let client: JSONValue
    private let keys: JSONValue
    private let audit: [String]

    /// Reads all that is kept of a person and of a client, the key set, and the audit, whose hashes have to hold.
    init(of pair: ServerPair, person: String, client: String) async throws {
        let server = pair.first
        let file = server.folder.appending(path: "person-\(UUID().uuidString.prefix(8)).json")
        let exported = try await server.administer("users export", ["--out", file.path()], names: [person])
        try #require(exported.isDone, "\(exported.message)")
        let members = try JSONParser.parse([UInt8](Data(contentsOf: file))).asObject().members
        self.person = .object(JSONObject(distinct: members.filter { $0.name != "exportedAt" }))
        let shown = try await server.administer("client show", names: [client])
        try #require(shown.isDone, "\(shown.message)")
        self.client = .object(shown.result)
        let request = BackendRequest(.get, (pair.proxy?.address ?? server.address) + Endpoint.keySet.path)
        keys = try JSONParser.parse(try await server.transport().response(to: request).body)
        let verified = try await server.administer("audit verify")
        try #require(verified.isDone, "\(verified.message)")
        audit = try await server.exportedAudit()
    }

    /// Expects everything of an earlier look, as it was then.
    func expectAll(of earlier: Holdings) {
        #expect(Self.has(person, earlier.person), "was: \(JSONWriter.text(earlier.person))")
        #expect(Self.has(client, earlier.client), "was: \(JSONWriter.text(earlier.client))")
        #expect(Self.has(keys, earlier.keys), "was: \(JSONWriter.text(earlier.keys))")
        #expect(!earlier.audit.isEmpty && audit.starts(with: earlier.audit))
    }

    /// Whether a value has all of another one: each member, and each element in any place.
    private static func has(_ value: JSONValue, _ other: JSONValue) -> Bool {
        switch (value, other) {
        case (.object(let value), .object(let other)):
            other.members.allSatisfy { member in value[member.name].map { has($0, member.value) } ?? false }
        case (.array(let value), .array(let other)):
            other.allSatisfy { element in value.contains { has($0, element) } }
        default: value == other
        }
    }
}
