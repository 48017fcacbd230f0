import BackendAPI
import TestSupport
import Testing
import UAF

@Suite("A sign-in takes no more pieces of the server's memory than its budget")
struct SignInAllocationTests {
    /// Pieces of a sign-in from one phone at a time, in both requests and the commit, as the program takes them that is built
    /// for tests: a release takes fewer.
    ///
    /// Whoever needs more says here why; whoever needs fewer lowers the number, or the test fails.
    private static let budget = 3_700

    @Test("Both requests and the commit stay within the budget, and a tenth more is beyond it")
    func budget() async throws {
        let server = try await CountedServer(users: ["anna"])
        let phone = try await CountedPhone(of: "anna", at: server.connection)
        let count = try await server.pieces { try await phone.signIn() }
        #expect(count <= Self.budget, "a sign-in takes \(count) pieces, its budget is \(Self.budget)")
        #expect(count * 11 / 10 > Self.budget, "a sign-in takes \(count) pieces, its budget is \(Self.budget)")
        let more = try await server.pieces {
            try await phone.signIn()
            _ = try await phone.request()
        }
        #expect(more > count + 100, "one request more is counted: \(more) after \(count)")
    }
}

/// A phone of one user that signs in again and again.
private struct CountedPhone {
    private static let root = "/nevisfido/uaf/1.1"

    private let user: String
    private let server: LoadConnection
    private let client: SyntheticClient
    private let authenticator: SyntheticAuthenticator

    /// Registers the phone.
    init(of user: String, at server: LoadConnection) async throws {
        self.user = user
        self.server = server
        client = SyntheticClient(facet: try #require(FacetID("ios:bundle-id:org.signet.demo")))
        authenticator = try SyntheticAuthenticator()
        try await answer(try await request("registration", "Reg"), at: "registration")
    }

    func signIn() async throws { try await answer(try await request(), at: "authentication") }

    func request() async throws -> OperationRequest { try await request("authentication", "Auth") }

    private func request(_ kind: String, _ operation: String) async throws -> OperationRequest {
        let asked = #"{"op":"\#(operation)","context":"{\"username\":\"\#(user)\"}"}"#
        let answer = try #require(await server.post("\(Self.root)/request/\(kind)", Array(asked.utf8)))
        return try OperationRequest(message: Array(try #require(try ReturnUAFRequest(body: answer).uafRequest).utf8))
    }

    private func answer(_ request: OperationRequest, at path: String) async throws {
        let message: [UInt8]
        switch request {
        case .registration(let request): message = try client.answer(request, with: [authenticator])
        case .authentication(let request): message = try client.answer(request, with: [authenticator])
        case .deregistration: return
        }
        let body = SendUAFResponse(uafResponse: String(decoding: message, as: UTF8.self)).body
        let answer = try #require(await server.post("\(Self.root)/\(path)", body))
        #expect(try ServerResponse(body: answer).statusCode == .ok)
    }
}
