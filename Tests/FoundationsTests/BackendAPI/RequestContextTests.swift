import BackendAPI
import Testing
import UAF

@Suite("Contexts of requests")
struct RequestContextTests {
    private let model = AAID("F1D0#1001")
    private let keyID = KeyID([UInt8](repeating: 7, count: 32))

    @Test("Registration: the name and the policy come through")
    func registration() throws {
        let context = try RegistrationContext(text: #"{"username":"jeff","policy":"strong"}"#)
        #expect(context.username.text == "jeff" && context.policy == "strong")
        #expect(try RegistrationContext(text: context.text) == context)
    }

    @Test(
        "Registration: a missing, empty, overlong or NUL-carrying name is refused, and so is anything that is no object",
        arguments: [
            "{}", #"{"username":""}"#, #"{"username":1}"#, #"{"username":null}"#, #"{"username":"al\u0000ice"}"#,
            #"{"username":"\#(String(repeating: "u", count: 129))"}"#, "alice", "", "[]",
            #"{"username":"a","username":"b"}"#, #"{"username":"a","policy":1}"#,
        ])
    func refusedRegistrations(text: String) {
        let error = #expect(throws: BackendAPIError.self) { try RegistrationContext(text: text) }
        #expect(error?.answer == .uaf(statusCode: 1400))
    }

    @Test("Registration: 128 characters are allowed, however many bytes they have")
    func longestName() throws {
        let name = String(repeating: "é", count: 128)
        #expect(try RegistrationContext(text: #"{"username":"\#(name)"}"#).username.text.utf8.count == 256)
    }

    @Test("Authentication: transactions are read in either base64 and written in base64url")
    func transactions() throws {
        for spelling in ["-_8", "+/8=", "+/8"] {
            let context = try AuthenticationContext(
                text: #"{"transaction":[{"contentType":"text/plain","content":"\#(spelling)"}]}"#)
            #expect(context.transactions.map(\.content) == [[0xFB, 0xFF]])
            #expect(context.transactions.map(\.contentType) == [.plainText])
            #expect(context.text == #"{"transaction":[{"contentType":"text/plain","content":"-_8"}]}"#)
        }
        #expect(throws: BackendAPIError.unreadableContext(path: ["transaction", "0", "content"])) {
            try AuthenticationContext(text: #"{"transaction":[{"contentType":"text/plain","content":"*"}]}"#)
        }
    }

    @Test("Deregistration: every mode is written and read back")
    func deregistration() throws {
        let key = CredentialID(aaid: try #require(model), keyID: try #require(keyID))
        let scopes: [DeregistrationContext.Scope] = [.everything, .models([key.aaid]), .keys([key])]
        for scope in scopes {
            let context = DeregistrationContext(username: UserName("jeff"), scope: scope)
            #expect(try DeregistrationContext(text: context.text) == context)
        }
    }

    @Test(
        "Deregistration: the list of models is found under each of its names",
        arguments: [#""aaids":["F1D0#1001"]"#, #""aaid":["f1d0#1001"]"#, #""authenticators":[{"aaid":"F1D0#1001"}]"#])
    func modelLists(member: String) throws {
        let context = try DeregistrationContext(text: #"{"mode":"aaid",\#(member)}"#)
        guard case .models(let models) = context.scope else {
            Issue.record("not a list of models")
            return
        }
        #expect(models == [try #require(model)])
    }

    @Test(
        "Deregistration: an unknown mode, an empty list or a malformed name is refused",
        arguments: [
            "{}", #"{"mode":"all"}"#, #"{"mode":"aaid"}"#, #"{"mode":"aaid","aaids":[]}"#,
            #"{"mode":"aaid","aaids":["F1D0-1001"]}"#, #"{"mode":"key"}"#, #"{"mode":"key","authenticators":[]}"#,
            #"{"mode":"key","authenticators":[{"aaid":"F1D0#1001"}]}"#,
            #"{"mode":"key","authenticators":[{"aaid":"F1D0#1001","keyID":"A="}]}"#,
        ])
    func refusedDeregistrations(text: String) {
        let error = #expect(throws: BackendAPIError.self) { try DeregistrationContext(text: text) }
        #expect(error?.answer == .uaf(statusCode: 1400))
    }
}
