import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Adapter of the conformance tool")
struct ConformanceServiceTests {
    private let phone: SyntheticAuthenticator
    private let server: TestServer
    private let adapter: ConformanceService

    init() async throws {
        phone = try SyntheticAuthenticator()
        server = try await TestServer(authenticators: [phone]) { $0.conformance = true }
        adapter = try #require(server.services.conformance)
    }

    private func get(_ operation: String, _ context: String) async throws -> ReturnUAFRequest {
        let text = context.replacing("\"", with: "\\\"")
        let body = "{\"op\":\"\(operation)\",\"context\":\"\(text)\"}"
        return try await adapter.get(try GetUAFRequest(body: Array(body.utf8)), client: ClientContext())
    }

    private func respond(_ message: [UInt8]) async throws -> StatusCode {
        let response = SendUAFResponse(uafResponse: String(decoding: message, as: UTF8.self))
        return try await adapter.respond(response, client: ClientContext()).message.statusCode
    }

    private func register() async throws {
        guard case .registration(let request) = try TestServer.request(try await get("Reg", #"{"username":"jeff"}"#))
        else { throw TestServer.Failure.setUp }
        #expect(try await respond(try server.client.answer(request, with: [phone])) == .ok)
    }

    @Test("Registration, authentication and transaction run without authorization")
    func ceremonies() async throws {
        try await register()
        let context = #"{"username":"jeff","transaction":"Pay 10 EUR"}"#
        for context in [#"{"username":"jeff"}"#, context] {
            guard case .authentication(let request) = try TestServer.request(try await get("Auth", context)) else {
                throw TestServer.Failure.setUp
            }
            #expect(try await respond(try server.client.answer(request, with: [phone])) == .ok)
        }
    }

    @Test("Deregistration of a model and of everything uses the empty forms")
    func deregistration() async throws {
        try await register()
        let model = #"{"username":"jeff","deregisterAAID":"\#(phone.aaid.text)"}"#
        guard case .deregistration(let first) = try TestServer.request(try await get("Dereg", model)) else {
            throw TestServer.Failure.setUp
        }
        #expect(first.authenticators == [.allKeys(of: phone.aaid)])
        try await register()
        let all = #"{"username":"jeff","deregisterAll":true}"#
        guard case .deregistration(let second) = try TestServer.request(try await get("Dereg", all)) else {
            throw TestServer.Failure.setUp
        }
        #expect(second.authenticators == [.everything])
    }

    @Test("Unknown operations and unreadable contexts are refused with 1400")
    func badRequests() async throws {
        #expect(try await get("REG", #"{"username":"jeff"}"#).statusCode == .badRequest)
        #expect(try await get("Reg", "{}").statusCode == .badRequest)
        #expect(try await get("Dereg", #"{"username":"jeff","deregisterAAID":"x"}"#).statusCode == .badRequest)
        #expect(try await respond(Array("[]".utf8)) == .unacceptableContent)
        #expect(try await respond(Array(#"[{"header":{"op":"Dereg"}}]"#.utf8)) == .unacceptableContent)
    }

    @Test("O-H3: While nothing can be read or written both routes are HTTP 503, and then go on")
    func storageFailure() async throws {
        let asked = #"{"username":"jeff"}"#
        server.database.set { $0.failsReads = true }
        await #expect(throws: ServerError.storageUnavailable) { try await get("Reg", asked) }
        server.database.set { ($0.failsReads, $0.failsCommits) = (false, true) }
        await #expect(throws: ServerError.storageUnavailable) { try await get("Reg", asked) }
        server.database.set { $0.failsCommits = false }
        guard case .registration(let request) = try TestServer.request(try await get("Reg", asked)) else {
            throw TestServer.Failure.setUp
        }
        let answer = SendUAFResponse(
            uafResponse: String(decoding: try server.client.answer(request, with: [phone]), as: UTF8.self))
        server.database.set { $0.failsCommits = true }
        await #expect(throws: ServerError.storageUnavailable) {
            try await adapter.respond(answer, client: ClientContext())
        }
        server.database.set { $0.failsCommits = false }
        #expect(try await adapter.respond(answer, client: ClientContext()).message.statusCode == .ok)
    }

    @Test("Without the profile the adapter does not exist")
    func absent() async throws {
        let plain = try await TestServer(authenticators: [phone])
        #expect(plain.services.conformance == nil)
    }
}
