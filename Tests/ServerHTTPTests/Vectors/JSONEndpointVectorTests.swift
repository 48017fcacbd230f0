import HTTPTypes
import HummingbirdTesting
import Octets
import ServerCore
import StrictJSON
import TestSupport
import Testing

@testable import ServerHTTP

@Suite("Vectors json-endpoint: every body at the UAF routes and at the conformance tool's")
struct JSONEndpointVectorTests {
    @Test("Every case gets the answer it expects", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
    func everyCase() async throws {
        let cases = try JSONEndpointCase.all()
        #expect(!cases.isEmpty)
        let server = try await ServerFixture.open { $0.conformance = true }
        let ok = try #require(cases.first { $0.id == "ok" })
        try await server.test { client in
            for sample in cases {
                sample.check(try await sample.send(to: "/get", as: sample.contentType, client), at: "/get")
                if sample.contentType.lowercased().hasPrefix("application/json") && sample.id != "ct-utf16" {
                    for path in ["/nevisfido/uaf/1.1/request/authentication", "/_app/uaf/1.1/request/registration/"] {
                        let answer = try await sample.send(to: path, as: ServiceClient.uaf, client)
                        sample.checkRefusals(answer, at: path)
                    }
                }
                #expect(try await ok.send(to: "/get", as: ok.contentType, client).status == .ok, "after \(sample.id)")
            }
        }
    }

    @Test("O-J5: a body over 64 KiB is 413 whatever it holds, and an unknown word fails")
    func total() async throws {
        let large = JSONEndpointCase(id: "large", body: Array(repeating: 0x20, count: 65_537), expect: "reject")
        try await ServerFixture.open { $0.conformance = true }.test { client in
            large.check(try await large.send(to: "/get", as: large.contentType, client), at: "/get")
        }
        let unknown = JSONEndpointCase(id: "unknown", body: [], expect: "perhaps")
        withKnownIssue { unknown.check(TestAnswer(status: .ok, uafStatus: nil), at: "/get") }
    }
}

/// One case of the set.
struct JSONEndpointCase: Sendable {
    let id: String
    let contentType: String
    let body: [UInt8]
    let expect: String
    let headers: [(name: String, value: String)]

    static func all() throws -> [JSONEndpointCase] {
        let document = try JSONParser.parse(
            VectorFolder.bytes(of: "json-endpoint/cases.json"), limits: .document
        ).asObject()
        return try document.required("cases") { value throws(JSONTypeError) in
            try value.asArray { sample throws(JSONTypeError) in try JSONEndpointCase(sample) }
        }
    }

    init(id: String, body: [UInt8], expect: String) {
        self.init(id: id, contentType: "application/json", body: body, expect: expect, headers: [])
    }

    private init(
        id: String, contentType: String, body: [UInt8], expect: String, headers: [(name: String, value: String)]
    ) {
        self.id = id
        self.contentType = contentType
        self.body = body
        self.expect = expect
        self.headers = headers
    }

    private init(_ json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        let known: Set = ["id", "contentType", "body", "expect", "why", "headers", "limit"]
        guard members.members.allSatisfy({ known.contains($0.name) }) else { throw JSONTypeError(.invalidForm) }
        let text = { (value: JSONValue) throws(JSONTypeError) in try value.asString() }
        id = try members.required("id", text)
        contentType = try members.required("contentType", text)
        expect = try members.required("expect", text)
        guard let body = try? Base64.decode(try members.required("body", text)) else {
            throw JSONTypeError(.invalidForm)
        }
        self.body = body
        headers =
            try members.optional("headers") { value throws(JSONTypeError) in
                try value.asObject().members.map { member throws(JSONTypeError) in
                    (member.name, try member.value.asString())
                }
            } ?? []
    }

    func send(to path: String, as type: String, _ client: ServiceClient) async throws -> TestAnswer {
        var fields = HTTPFields()
        for header in headers {
            guard let name = HTTPField.Name(header.name) else { throw JSONTypeError(.invalidForm) }
            fields[name] = header.value
        }
        let response = try await client.post(
            path, body, type: type.isEmpty ? nil : type, accept: nil, headers: fields)
        return TestAnswer(status: response.status, uafStatus: response.uafStatus)
    }

    /// The whole expectation, where the operation of the body is the route's.
    func check(_ answer: TestAnswer, at path: String) {
        switch expect {
        case "accept": #expect(answer.status == .ok && answer.uafStatus != 1400, "\(id) at \(path)")
        case "413": #expect(answer.status == .contentTooLarge, "\(id) at \(path)")
        case "415": #expect(answer.status == .unsupportedMediaType, "\(id) at \(path)")
        case "reject": checkRefusals(answer, at: path)
        default: Issue.record("unknown expectation \(expect) of \(id)")
        }
    }

    /// Only the refusals; what is accepted may still belong to another operation or lack authorization.
    func checkRefusals(_ answer: TestAnswer, at path: String) {
        #expect(answer.status.code < 500, "\(id) at \(path)")
        guard expect == "reject" else { return }
        // O-J5: before its content is looked at.
        guard body.count <= RequestLimits().bodyByteCount else {
            #expect(answer.status == .contentTooLarge, "\(id) at \(path)")
            return
        }
        let isRefused = answer.status == .badRequest || (answer.status == .ok && answer.uafStatus == 1400)
        #expect(isRefused, "\(id) at \(path): \(answer)")
    }
}

/// What matters of an answer.
struct TestAnswer: Sendable {
    let status: HTTPResponse.Status
    let uafStatus: Int?
}
