import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@Suite("An import writes all lines or none, and says of each that is bad why")
struct UserImportTests {
    private let server: TestServer

    init() async throws { server = try await TestServer(authenticators: [SyntheticAuthenticator()]) }

    private func line(
        _ number: Int, _ name: String, _ externalID: String? = nil,
        _ changes: [UserAttributes.Name: JSONValue] = [.email: .string("x@example.com")]
    ) throws -> UserImport.Line {
        UserImport.Line(
            number: number, name: try #require(UserName(name)), externalID: externalID.flatMap { UserName($0) },
            changes: changes)
    }

    private func run(_ lines: [UserImport.Line], skipsBadLines: Bool = false) async throws -> UserImport.Outcome {
        try await UserImport(server.services).run(lines, skipsBadLines: skipsBadLines)
    }

    @Test("New users are added, known ones changed, and those that are so already stay, each with a record")
    func sound() async throws {
        let anna = try await server.services.users.add(name: "anna", externalID: "e-anna")
        let first = try await run([try line(2, "anna", "e-anna"), try line(3, "bert", "e-bert"), try line(4, "carl")])
        #expect((first.added, first.changed, first.unchanged) == (2, 1, 0))
        #expect(try await server.services.users.attributes(of: anna).email == "x@example.com")
        #expect(try await server.services.users.user(named: "e-bert").name.text == "bert")
        let again = try await run([try line(2, "anna"), try line(3, "bert")])
        #expect((again.added, again.changed, again.unchanged) == (0, 0, 2))
        let kinds = try await server.auditKinds()
        #expect(kinds.count { $0 == "ADMIN_USER_ADDED" } == 3)
        #expect(kinds.count { $0 == "ADMIN_USER_ATTRIBUTES_CHANGED" } == 3)
    }

    @Test("With one bad line nothing is written; left out, the others are")
    func badLines() async throws {
        _ = try await server.services.users.add(name: "anna", externalID: "e-anna")
        let lines = [
            try line(2, "new"), try line(3, "anna", "other"), try line(4, "bert", "e-anna"), try line(5, "e-anna"),
            try line(6, "carl", nil, [.email: .string("wrong")]),
        ]
        let before = try await server.auditKinds().count
        let refused = try await run(lines)
        #expect(refused.badLines.map(\.number) == [3, 4, 5, 6])
        #expect(try await server.services.users.list().map(\.name.text) == ["anna"])
        #expect(try await server.auditKinds().count == before)
        let kept = try await run(lines, skipsBadLines: true)
        #expect(kept.added == 1 && kept.badLines == refused.badLines)
        #expect(try await server.services.users.list().map(\.name.text) == ["anna", "new"])
    }

    @Test("The audit names the attributes that were changed, and no value")
    func audit() async throws {
        _ = try await run([try line(2, "anna", nil, [.email: .string("a@example.com"), .name: .string("Anna Secret")])])
        let records = try await server.services.audit.records(of: server.services.settings.instanceName)
        let texts = records.map { String(decoding: $0.event, as: UTF8.self) }
        #expect(texts.contains { $0.contains("name email") })
        #expect(texts.allSatisfy { !$0.contains("Secret") && !$0.contains("a@example.com") })
    }

    @Test("Attributes go with their user")
    func removal() async throws {
        _ = try await run([try line(2, "anna")])
        try await server.services.users.remove(named: "anna")
        let anna = try await server.services.users.add(name: "anna")
        #expect(try await server.services.users.attributes(of: anna) == UserAttributes())
    }
}
