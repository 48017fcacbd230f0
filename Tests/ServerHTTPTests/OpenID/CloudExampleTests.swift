import Foundation
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF

@testable import ServerHTTP

/// Requests that the closed cloud API documents, recorded in `Tests/Interop/cloud-api.json`, against the whole server.
@Suite("The documented requests of the closed cloud API are answered here, or the page tells the difference")
struct CloudExampleTests {
    private let record: CloudExamples

    init() throws { record = try CloudExamples() }

    @Test("Each is answered as recorded, over a socket, and docs/web/cloud-api.md has the table of the answers")
    func examples() async throws {
        let stage = try await EndsStage(.sqlite, on: StoredDatabase.sqlite.empty())
        let tokens = [
            "confirmedStatusToken": try await stage.give(.statusToken).text,
            "token": try await stage.give(.resultToken).text,
        ]
        var users: [HeldRight] = []
        for number in record.examples.indices { users.append(try await stage.enrol("customer-\(number)")) }
        let (record, holders) = (record, users)
        let played = try await stage.overSocket { client in
            var played: [SocketClient.Answer] = []
            for (example, user) in zip(record.examples, holders) {
                let use = RightUse(client: client, site: stage.site, right: user)
                let values = try await CloudValues(use, tokens).values(in: example.text)
                played.append(try await example.filled(with: values).send(client))
            }
            return played
        }
        for (example, answer) in zip(record.examples, played) {
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(Int(answer.status) == example.status, "\(example.title): \(text)")
            let expected = try #require(record.answers[example.answer])
            #expect(expected.missing(in: answer.object) == Set(expected.differences.keys), "\(example.title): \(text)")
            #expect(example.answer != "pong" || text == "PONG")
        }
        let page = try String(contentsOfFile: "docs/web/cloud-api.md", encoding: .utf8)
        let table = record.table(of: played)
        #expect(page.contains(table), "docs/web/cloud-api.md has another table; put this one there:\n\(table)")
    }

    @Test("A record with a member that no answer has is found")
    func unknownMember() throws {
        let answer = CloudExamples.Answer(members: ["size": "integer", "name": "string"], differences: [:])
        #expect(answer.missing(in: ["size": .integer(1), "name": .string("n")]) == [])
        #expect(answer.missing(in: ["size": .string("1")]) == ["size", "name"])
        let list = CloudExamples.Answer(members: ["phones.name": "string"], differences: [:])
        #expect(list.missing(in: ["phones": .array([.object(["name": .string("n")])])]) == [])
        #expect(list.missing(in: ["phones": .array([])]) == ["phones.name"])
    }
}

/// What a request names that only a server knows.
private struct CloudValues {
    let use: RightUse
    let tokens: [String: String]

    init(_ use: RightUse, _ tokens: [String: String]) {
        self.use = use
        self.tokens = tokens
    }

    /// The values of the names that a text has; what has to be made for one is made only then.
    func values(in text: String) async throws -> [String: String] {
        let user = use.right.user
        var values = tokens
        values["access_key"] = EndsStage.portal
        values["username"] = user.name.text
        values["userId"] = user.externalID.text
        values["new_username"] = "new-" + user.name.text
        values["name"] = "My new phone"
        if text.contains("$statusToken") {
            let body = #"{"username":"\#(user.name.text)","channel":"app"}"#
            let answer = try await use.client.send("POST", "/api/v1/approval", Self.headers, body: body)
            values["statusToken"] = try answer.object.string("statusToken")
        }
        if text.contains("$authenticator_id") {
            let answer = try await use.client.send(
                "GET", "/api/v1/users/\(user.externalID.text)", Self.headers, body: "")
            let phones = try #require(answer.object["authenticators"]).asArray()
            values["authenticator_id"] = try #require(phones.first).asObject().string("authenticatorId")
        }
        for operation in ["enroll", "approve"] where text.contains("$intent_\(operation)") {
            let body = #"{"username":"\#(user.name.text)","operation":"\#(operation)"}"#
            let answer = try await use.client.send("POST", "/api/v1/intent", Self.headers, body: body)
            values["intent_\(operation)"] = try answer.object.string("token")
        }
        return values
    }

    private static let headers = [
        (name: "Authorization", value: "Bearer " + EndsStage.portal), (name: "Content-Type", value: "application/json"),
    ]
}
