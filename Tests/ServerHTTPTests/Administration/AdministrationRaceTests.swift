import HTTPTypes
import HummingbirdTesting
import NIOCore
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerHTTP

@Suite("Administration: two administrators, and a connection that ends", .timeLimit(.minutes(10)))
struct AdministrationRaceTests {
    private typealias Request = AdministrationFixture.Request

    @Test(
        "Of two who change one record in parallel one gets 200, the other 409 with the present version",
        arguments: StoredDatabase.allCases)
    func race(on kind: StoredDatabase) async throws {
        let opened = try kind.empty()
        var ground = ServerFixture.Ground()
        ground.database = opened.database
        let stage = try await AdministrationFixture(on: ground)
        let path = "/users/" + (try await stage.userID())
        for round in 0..<5 {
            let tag = try await stage.send(.get, path, as: "admin:operator").headers[.eTag]
            let answers = try await withThrowingTaskGroup(of: TestResponse.self) { group in
                for role in ["admin:operator", "admin:help-desk"] {
                    group.addTask {
                        try await stage.send(
                            .patch, path, as: role,
                            Request(
                                body: #"{"attributes":{"name":"\#(role) \#(round)"}}"#, reason: "both at once",
                                version: tag))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.map(\.status.code).sorted() == [200, 409])
            let tags = Set(answers.map { $0.headers[.eTag] })
            #expect(tags.count == 1 && !tags.contains(tag), "both learn the version that holds")
        }
    }

    @Test(
        "Of two who change one client, key or message in parallel one does it, and the other learns the present version",
        arguments: StoredDatabase.allCases)
    func others(on kind: StoredDatabase) async throws {
        let opened = try kind.empty()
        var ground = ServerFixture.Ground()
        ground.database = opened.database
        let stage = try await AdministrationFixture(on: ground)
        let message = try await waitingMessage(of: "shop", on: stage)
        let key = "/credentials/" + (try await AdministrationObjects(of: nil, in: stage)).id(in: "{credentialId}")
        let changes: [(path: String, body: String?)] = [
            ("/clients/shop", #"{"disabled":true}"#), ("/clients/shop", #"{"disabled":false}"#),
            (key, #"{"status":"disabled"}"#), (key, #"{"status":"active"}"#), ("/messages/\(message.text)", nil),
        ]
        for change in changes {
            let tag = try await stage.send(.get, change.path, as: "admin:operator").headers[.eTag]
            let answers = try await withThrowingTaskGroup(of: TestResponse.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        try await stage.send(
                            .patch, change.path, as: "admin:operator",
                            Request(body: change.body, reason: "both at once", version: tag))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let codes = Set(answers.map(\.status.code))
            #expect(
                codes.count == 2 && codes.contains(409) && codes.isSubset(of: [200, 204, 409]), "\(change): \(codes)")
            let present = try await stage.send(.get, change.path, as: "admin:operator").headers[.eTag]
            #expect(answers.first { $0.status == .conflict }?.headers[.eTag] == present && present != tag)
        }
        for path in ["/clients/shop", key, "/messages/\(message.text)"] {
            let blind = try await stage.send(.delete, path, as: "admin:operator", Request(reason: "ticket"))
            #expect(blind.status == .preconditionRequired)
            #expect(try await stage.change(.delete, path, as: "admin:operator").status == .noContent)
            #expect(try await stage.send(.get, path, as: "admin:operator").status == .notFound)
        }
    }

    /// Adds a client with a message to it that was tried three times.
    private func waitingMessage(of name: String, on stage: AdministrationFixture) async throws -> OutgoingMessageID {
        let client = try #require(ClientID(name))
        #expect(
            try await ClientAdministration(stage.sites).add(
                RegisteredClient(id: client, name: "Shop", authentication: RegisteredClient.Authentication.none)))
        var message = OutgoingMessage(
            endOf: ClientLogin(client: client, session: nil), of: try #require(UserName("anna")),
            at: stage.server.clock.now())
        message.attempts = 3
        let waiting = message
        try await stage.sites.transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insert(waiting)
        }
        return message.id
    }

    @Test("An import whose connection ends in the middle writes nothing; whole, it writes all or names the bad lines")
    func importing() async throws {
        let stage = try await AdministrationFixture()
        let lines = #"{"username":"kim"}"# + "\n" + #"{"username":"lee","email":"lee@example.com"}"# + "\n"
        let head =
            "POST /admin/v1/imports HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson\r\n"
            + "Authorization: Bearer \(AdministrationFixture.text("admin:operator"))\r\nSignet-Reason: new people\r\n"
        try await stage.live { port in
            let connection = try await RawConnection.open(port: port)
            await connection.send(head + "Content-Length: \(lines.utf8.count + 1)\r\n\r\n" + lines)
            await connection.close()
        }
        #expect(try await stage.server.services.users.list().map(\.name.text) == ["anna"])
        func send(_ body: String, _ query: String = "", type: String = "application/x-ndjson") async throws
            -> TestResponse
        {
            try await stage.send(
                .post, "/imports" + query, as: "admin:operator", Request(body: body, type: type, reason: "new people"))
        }
        let bad = lines + #"{"username":"anna","email":"no address"}"#
        let refused = try await send(bad)
        #expect(refused.status == .unprocessableContent)
        #expect(String(buffer: refused.body).contains(#""badLines":[{"line":3,"#))
        #expect(refused.object["status"] == .integer(422), "as every refusal has it")
        #expect(try await stage.server.services.users.list().count == 1, "all lines or none")
        let some = try await send(bad, "?skip-bad-lines=true")
        #expect(some.status == .ok && some.object["added"] == .integer(2))
        let table = try await send("username,email\nkim,kim@example.com\n", type: "text/csv")
        #expect(table.status == .ok && table.object["changed"] == .integer(1))
        #expect(try await send("", type: "text/csv").status == .unprocessableContent)
        #expect(try await send("{}", type: "application/json").status == .unsupportedMediaType)
    }
}
