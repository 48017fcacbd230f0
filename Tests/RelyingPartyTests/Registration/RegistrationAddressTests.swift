import StrictJSON
import TestSupport
import Testing
import UAF

@testable import RelyingParty

@Suite("UAF Protocol 3.4.6.5, steps 1 to 4: registration response, message and address")
struct RegistrationAddressTests {
    @Test("A good response is verified for the user of the request")
    func good() async throws {
        let ceremony = try Ceremony()
        let verified = try await ceremony.registered(try ceremony.registrationMessage())
        #expect(verified.account == Ceremony.account)
        #expect(verified.challenge == ceremony.challenge)
        #expect(verified.credentials.map(\.id) == [ceremony.authenticator.credential])
        #expect(verified.skipped.isEmpty)
    }

    @Test("A message that is no array of one response is refused", arguments: ["", "{}", "[]", "[{}]", "[1]", "null"])
    func noMessage(_ text: String) async throws {
        let ceremony = try Ceremony()
        try await expectRefusal(of: Array(text.utf8), in: ceremony, 1498) { $0 <= 2 }
    }

    @Test("A message of two responses is refused")
    func twoResponses() async throws {
        let ceremony = try Ceremony()
        let message = try ceremony.registrationMessage()
        let element = message.dropFirst().dropLast()
        let doubled = [UInt8(ascii: "[")] + element + [UInt8(ascii: ",")] + element + [UInt8(ascii: "]")]
        try await expectRefusal(of: doubled, in: ceremony, 1498) { $0 == 1 }
    }

    @Test("A missing, null or mistyped member is refused", arguments: ["header", "fcParams", "assertions"])
    func members(_ name: String) async throws {
        for value in [nil, .null, .bool(true), .string(""), .array([])] as [JSONValue?] {
            let ceremony = try Ceremony()
            let message = try ceremony.registrationMessage(
                in: .init(message: { $0 = $0.replacing(name, with: value) }))
            try await expectRefusal(of: message, in: ceremony, 1498) { [2, 4, 9].contains($0) }
        }
    }

    @Test(
        "Another version or operation in the header is refused",
        arguments: [
            ("upv", .object(JSONObject(["major": .integer(1), "minor": .integer(0)]))),
            ("upv", .object(JSONObject(["major": .integer(1), "minor": .integer(7)]))),
            ("op", .string("Auth")), ("op", .string("reg")), ("op", .string("REG")), ("op", nil),
            ("serverData", .string("")), ("appID", .integer(1)), ("exts", .string("x")),
            (
                "exts",
                .array([
                    .object(
                        JSONObject(["id": .string("unknown"), "data": .string(""), "fail_if_unknown": .bool(true)]))
                ])
            ),
        ] as [(String, JSONValue?)])
    func header(name: String, value: JSONValue?) async throws {
        let ceremony = try Ceremony()
        let message = try ceremony.registrationMessage(
            in: .init(message: { message in
                guard case .object(let header) = message["header"] else { return }
                message = message.replacing("header", with: .object(header.replacing(name, with: value)))
            }))
        try await expectRefusal(of: message, in: ceremony, 1498) { $0 == 2 }
    }

    @Test("serverData must come back unchanged")
    func serverData() async throws {
        var ceremony = try Ceremony()
        let message = try ceremony.registrationMessage()
        ceremony.serverData = ServerData("sealed otherwise")
        try await expectRefusal(of: message, in: ceremony, 1498) { $0 == 3 }
        ceremony.serverData = nil
        try await expectRefusal(of: message, in: ceremony, 1498) { $0 == 3 }
    }

    @Test(
        "Each member of the final challenge parameters must be there and well formed",
        arguments: ["appID", "challenge", "facetID", "channelBinding"])
    func parameters(_ name: String) async throws {
        for value in [nil, .null, .bool(true), .string("")] as [JSONValue?] {
            let ceremony = try Ceremony()
            let message = try ceremony.registrationMessage(
                in: .init(parameters: { $0 = $0.replacing(name, with: value) }))
            try await expectRefusal(of: message, in: ceremony, 1498) { $0 == 4 }
        }
    }

    @Test("The parameters must be for the AppID of the request")
    func appID() async throws {
        let ceremony = try Ceremony()
        let message = try ceremony.registrationMessage(
            in: .init(parameters: { $0 = $0.replacing("appID", with: .string("https://attacker.example/")) }))
        try await expectRefusal(of: message, in: ceremony, 1498) { $0 == 5 }
    }

    @Test("Without an AppID in the request the parameters name the facet")
    func noAppID() async throws {
        var ceremony = try Ceremony()
        ceremony.appID = nil
        _ = try await ceremony.registered(try ceremony.registrationMessage())
        let message = try ceremony.registrationMessage(
            in: .init(parameters: { $0 = $0.replacing("appID", with: .string("ios:bundle-id:com.example.other")) }))
        try await expectRefusal(of: message, in: ceremony, 1498) { $0 == 5 }
    }

    @Test("The facet must be one of the server's own")
    func facet() async throws {
        var ceremony = try Ceremony()
        ceremony.client.facet = try #require(FacetID("ios:bundle-id:com.example.attacker"))
        try await expectRefusal(of: try ceremony.registrationMessage(), in: ceremony, 1498) { $0 == 6 }
    }

    // MARK: - Step

    /// Nothing is consumed before the answer is known to belong to the request.
    private func expectRefusal(
        of message: [UInt8], in ceremony: Ceremony, _ status: UInt32, check: (Int) -> Bool
    ) async throws {
        let error = await #expect(throws: RelyingPartyError.self) { _ = try await ceremony.registered(message) }
        guard let error else { return }
        #expect(error.status.rawValue == status)
        #expect(check(error.rule.check), "check \(error.rule.check)")
        #expect(!error.consumesChallenge)
    }
}
