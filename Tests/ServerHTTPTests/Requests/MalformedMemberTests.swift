import BackendAPI
import HTTPTypes
import HummingbirdTesting
import ServerCore
import Testing

@testable import HTTPEngine
@testable import ServerHTTP

@Suite("Refusals: which member of a body is wrong")
struct MalformedMemberTests {
    private static let tokens = "/nevisfido/token/dispatch/authentication"
    private static let json = "application/json"

    /// The message of the refusal of a body.
    private static func message(_ path: String, _ body: String, type: String) async throws -> String {
        let service = try await ServerFixture.open { $0.outOfBand.dispatchProtection = .none }
        return try await service.test { client in
            let answer = try await client.post(path, body, type: type, accept: type)
            #expect(answer.status == .badRequest)
            #expect(try answer.text("code") == "malformedRequest")
            return try answer.text("message")
        }
    }

    @Test(
        "O-M2: a dispatch that is refused says which member is missing or wrong",
        arguments: [
            ("{}", "getUafRequest"), (#"{"getUafRequest":{"context":"{}"}}"#, "getUafRequest.op"),
            (#"{"getUafRequest":{"op":"Dereg","context":"{}"}}"#, "getUafRequest.op"),
            (#"{"getUafRequest":{"op":"Auth","context":"{\"username\":7}"}}"#, "getUafRequest.context.username"),
            (#"{"getUafRequest":{"op":"Auth","context":"x"}}"#, "getUafRequest.context"),
            (#"{"getUafRequest":{"op":"Auth","context":"{\"policy\":\"no\"}"}}"#, "getUafRequest.context"),
        ])
    func dispatch(body: String, member: String) async throws {
        let message = try await Self.message(Self.tokens, body, type: Self.json)
        #expect(message == "The member \(member) is missing or is not what this service expects.")
    }

    @Test("O-M2: a request for a registration token says that context.username is missing")
    func token() async throws {
        let message = try await Self.message(
            "/nevisfido/token/create/registration", #"{"op":"Reg","context":"{}"}"#, type: Self.json)
        #expect(message == "The member context.username is missing or is not what this service expects.")
    }

    @Test("O-M2: a body that is no JSON is refused with the place where reading stopped")
    func place() async throws {
        let message = try await Self.message(Self.tokens, #"{"a":secret}"#, type: Self.json)
        #expect(message == "The body is not acceptable JSON from byte 5 on.")
    }

    @Test("O-M2: names that could be the client's own, and values, are not repeated")
    func silent() {
        for path in [[], ["<script>"], [""], ["a", "b c"], [String(repeating: "a", count: 41)], ["\u{e9}"]] {
            #expect(RequestRefusal.malformed(member: path) == .malformed)
        }
        #expect(RequestRefusal.malformed(member: ["a", "0", "b_c"]).message.contains("a.0.b_c"))
        #expect(RequestRefusal.malformed(member: ["a", "0", "b_c"]).member == "a.0.b_c")
        #expect(RequestRefusal.malformed.member == nil)
        #expect(RequestRefusal.unsupportedMediaType.member == "Content-Type")
        #expect(RequestRefusal.notAcceptable.member == "Accept")
        #expect(RequestRefusal(.malformedHost).member == "Host")
    }
}
