import Testing
import UAF

@Suite("UAF Protocol 1.1, 3.1.3: the message array")
struct EnvelopeRuleTests {
    private let request = MessageSample.text(MessageSample.registration)
    private let response = MessageSample.text(MessageSample.response)

    private func version(_ major: Int, _ minor: Int, of text: String) -> String {
        let parts = text.split(separator: #""upv":{"major":1,"minor":1}"#, maxSplits: 1)
        return parts.joined(separator: #""upv":{"major":\#(major),"minor":\#(minor)}"#)
    }

    @Test("A client takes the highest version it supports and reads no other element further")
    func severalVersions() {
        #expect(MessageSample.clientError(request) == nil)
        #expect(MessageSample.clientError(version(1, 0, of: request), request) == nil)
        #expect(MessageSample.clientError(#"{"header":{"upv":{"major":1,"minor":2}}}"#, request) == nil)
        #expect(MessageSample.clientError(version(1, 7, of: request)) == .unsupportedVersion)
    }

    @Test("Two elements of one version are refused, by client and server")
    func sameVersion() {
        #expect(MessageSample.clientError(request, request) == .protocolError)
        #expect(MessageSample.serverError(response, response) == .severalElements)
    }

    @Test("A server expects exactly one element")
    func exactlyOne() {
        #expect(MessageSample.serverError(response) == nil)
        #expect(MessageSample.serverError() == .emptyMessage)
        #expect(MessageSample.serverError(response, version(1, 0, of: response)) == .severalElements)
    }

    @Test(
        "What is no array of dictionaries is refused",
        arguments: ["", "{}", "[", "[1]", "null", "[]", "\u{FEFF}[]", "[{}]", "[{}] x", #"[{"header":1}]"#])
    func otherShapes(text: String) {
        #expect(throws: MessageError.self) { try OperationRequest(message: Array(text.utf8)) }
        #expect(throws: MessageError.self) { try OperationResponse(message: Array(text.utf8)) }
    }

    @Test("A response has all its members, none null, empty or of another type")
    func responseMembers() {
        for name in MessageSample.response.keys {
            for value in [nil, "null", #""""#, "[]", "{}", "1", #""***""#] {
                let spoiled = MessageSample.replacing(name, by: value, in: MessageSample.response)
                #expect(MessageSample.serverError(spoiled) != nil, "\(name): \(value ?? "absent")")
            }
        }
    }

    @Test("An error tells which part of the response is at fault")
    func parts() {
        for (name, part) in [
            ("header", .header), ("fcParams", .finalChallengeParameters), ("assertions", .assertions),
        ] as [(String, MessageError.Part)] {
            let spoiled = MessageSample.replacing(name, by: "1", in: MessageSample.response)
            #expect(MessageSample.serverError(spoiled)?.part == part)
        }
        #expect(MessageSample.serverError(version(-1, 0, of: response))?.part == .header)
        #expect(MessageSample.serverError("1")?.part == .envelope)
        #expect(MessageSample.serverError()?.part == .envelope)
    }

    @Test("A null AppID is tolerated in a request only")
    func nullAppID() {
        let header = #"{"upv":{"major":1,"minor":1},"op":"Reg","appID":null}"#
        let spoiledRequest = MessageSample.replacing("header", by: header, in: MessageSample.registration)
        let spoiledResponse = MessageSample.replacing("header", by: header, in: MessageSample.response)
        #expect(MessageSample.clientError(spoiledRequest) == nil)
        #expect(
            MessageSample.serverError(spoiledResponse) == .invalidMember(path: ["header", "appID"], .wrongType))
    }

    @Test("An assertion entry that is no base64url spoils only itself")
    func assertionText() throws {
        let entry = AuthenticatorRegistrationAssertion(assertion: "***")
        #expect(throws: MessageError.invalidMember(path: ["assertion"], .invalidForm)) { try entry.octets() }
        let long = AuthenticatorSignAssertion(octets: [UInt8](repeating: 0, count: 4097))
        #expect(throws: MessageError.invalidMember(path: ["assertion"], .outOfRange)) { try long.octets() }
        #expect(try AuthenticatorSignAssertion(octets: [1, 2]).octets() == [1, 2])
        let spoiled = MessageSample.replacing(
            "assertions", by: #"[{"assertionScheme":"X","assertion":"***"}]"#, in: MessageSample.response)
        #expect(MessageSample.serverError(spoiled) == nil)
    }

    @Test("An error leads to the offending member")
    func path() {
        let spoiled = MessageSample.replacing(
            "policy", by: #"{"accepted":[[{"aaid":["F1D0#1001"]},{"aaid":["F1D0#1001",7]}]]}"#,
            in: MessageSample.registration)
        #expect(throws: MessageError.invalidMember(path: ["policy", "accepted", "0", "1", "aaid", "1"], .wrongType)) {
            try OperationRequest(message: Array("[\(spoiled)]".utf8))
        }
    }
}
