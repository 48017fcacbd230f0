import BackendAPI
import StrictJSON
import Testing
import UAF

@Suite("Transport dictionaries (FIDO UAF Application API and Transport Binding 1.1)")
struct TransportDictionaryTests {
    private func octets(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func text(_ body: some MessageBody) -> String { String(decoding: body.body, as: UTF8.self) }

    @Test("A request is written as documented and read back")
    func getUAFRequest() throws {
        let name = try #require(UserName("jeff"))
        let request = GetUAFRequest(RegistrationContext(username: name))
        #expect(text(request) == #"{"op":"Reg","context":"{\"username\":\"jeff\"}"}"#)
        let read = try GetUAFRequest(body: request.body)
        #expect(read == request && read.operation == .registration && read.previousRequest == nil)
        #expect(try read.context(as: RegistrationContext.self).username == name)
    }

    @Test("Unknown members are ignored, a previous request is accepted")
    func tolerance() throws {
        let body = octets(#"{"x":{"y":[1]},"op":"Auth","previousRequest":"[]","context":"{\"z\":1}"}"#)
        let request = try GetUAFRequest(body: body)
        #expect(request.previousRequest == "[]")
        #expect(try request.context(as: AuthenticationContext.self).username == nil)
    }

    @Test(
        "A body that is no dictionary, or has a mistyped member, is an HTTP 400",
        arguments: [
            "", "[]", "1", "null", "{", #"{"op":1}"#, #"{"op":null,"context":"{}"}"#, #"{"context":"{}"}"#,
            #"{"OP":"Reg"}"#, #"{"op":"Reg","context":{"username":"a"}}"#, #"{"op":"Reg","op":"Reg"}"#,
            #"{"op":"Reg","context":"{}","previousRequest":1}"#,
        ])
    func malformed(text: String) {
        let error = #expect(throws: BackendAPIError.self) { try GetUAFRequest(body: octets(text)) }
        #expect(error?.answer == .http(status: 400))
    }

    @Test("Another operation than the service's is 1400", arguments: ["Auth", "Delete", "reg", "Reg ", ""])
    func operations(name: String) throws {
        let request = try GetUAFRequest(body: octets(#"{"op":"\#(name)","context":"{\"username\":\"a\"}"}"#))
        let error = #expect(throws: BackendAPIError.unexpectedOperation) {
            try request.context(as: RegistrationContext.self)
        }
        #expect(error?.answer == .uaf(statusCode: 1400))
    }

    @Test("Limits of a body hold: 64 KiB and 16 levels")
    func limits() throws {
        let filler = String(repeating: "x", count: 64 * 1024 - #"{"op":"Reg","x":""}"#.utf8.count)
        let largest = octets(#"{"op":"Reg","x":"\#(filler)"}"#)
        #expect(throws: Never.self) { try GetUAFRequest(body: largest) }
        #expect(throws: BackendAPIError.malformedBody(offset: nil)) { try GetUAFRequest(body: largest + [0x20]) }
        let deep = String(repeating: "[", count: 16) + String(repeating: "]", count: 16)
        #expect(throws: BackendAPIError.self) { try GetUAFRequest(body: octets(#"{"op":"Reg","x":\#(deep)}"#)) }
        #expect(throws: Never.self) {
            try GetUAFRequest(body: octets(#"{"op":"Reg","x":\#(deep.dropFirst().dropLast())}"#))
        }
    }

    @Test("An answer with a request is written as documented and read back")
    func returnUAFRequest() throws {
        let answer = ReturnUAFRequest(uafRequest: "[{}]", operation: .registration, lifetimeMillis: 300_000)
        #expect(text(answer) == #"{"statusCode":1200,"uafRequest":"[{}]","op":"Reg","lifetimeMillis":300000}"#)
        let read = try ReturnUAFRequest(body: answer.body)
        #expect(read.statusCode == .ok && read.uafRequest == "[{}]" && read.operation == .registration)
        #expect(read.lifetimeMillis == 300_000)
        #expect(text(ReturnUAFRequest(statusCode: .badRequest)) == #"{"statusCode":1400}"#)
    }

    @Test("Unknown status codes survive; codes that are no numbers, and negative lifetimes, do not")
    func statusCodes() throws {
        #expect(try ReturnUAFRequest(body: octets(#"{"statusCode":1999}"#)).statusCode.rawValue == 1999)
        #expect(try ReturnUAFRequest(body: octets(#"{"statusCode":1200,"op":"New"}"#)).operation == nil)
        for bad in [#"{"statusCode":"1200"}"#, #"{"statusCode":1200.0}"#, #"{"statusCode":-1}"#, "{}"] {
            #expect(throws: BackendAPIError.invalidMember(path: ["statusCode"])) {
                try ReturnUAFRequest(body: octets(bad))
            }
        }
        #expect(throws: BackendAPIError.invalidMember(path: ["lifetimeMillis"])) {
            try ReturnUAFRequest(body: octets(#"{"statusCode":1200,"lifetimeMillis":-1}"#))
        }
    }

    @Test("A response keeps its message as sent, and its context is optional")
    func sendUAFResponse() throws {
        let message = #"[ {"fcParams" : "\u0041"} ]"#
        let plain = SendUAFResponse(uafResponse: message)
        let read = try SendUAFResponse(body: plain.body)
        #expect(read.uafResponse.utf8.elementsEqual(message.utf8))
        #expect(try read.context().asmStatus == nil)
        let context = ResponseContext(asmStatus: .userCancelled, clientErrorCode: .userCancelled, userAgent: "app/1")
        let reported = try SendUAFResponse(body: SendUAFResponse(uafResponse: "[]", context: context).body).context()
        #expect(reported.asmStatus == .userCancelled && reported.clientErrorCode == .userCancelled)
        #expect(reported.userAgent == "app/1")
    }

    @Test(
        "An unreadable response context is 1400", arguments: ["", "[]", #"{"asmStatusCode":"3"}"#, "{\"userAgent\":1}"])
    func responseContexts(context: String) throws {
        let body = JSONWriter.write(.object(["uafResponse": .string("[]"), "context": .string(context)]))
        let error = #expect(throws: BackendAPIError.self) { try SendUAFResponse(body: body).context() }
        #expect(error?.answer == .uaf(statusCode: 1400))
    }

    @Test("A judgement carries its tokens in order, also of unknown kinds")
    func serverResponse() throws {
        let answer = ServerResponse(statusCode: .ok, additionalTokens: [Token(type: .jwt, value: "a.b.c")])
        #expect(text(answer) == #"{"statusCode":1200,"additionalTokens":[{"type":"JWT","value":"a.b.c"}]}"#)
        let read = try ServerResponse(
            body: octets(
                #"{"statusCode":1200,"description":"d","additionalTokens":[{"type":"X","value":"1"},"#
                    + #"{"type":"JWT","value":"2"},{"type":"JWT","value":"3"}],"location":"l","newUAFRequest":"n"}"#))
        #expect(read.token(.jwt) == "2" && read.token(.httpCookie) == nil)
        #expect(read.additionalTokens.count == 3 && read.newUAFRequest == "n" && read.description == "d")
        #expect(throws: BackendAPIError.invalidMember(path: ["additionalTokens", "0", "value"])) {
            try ServerResponse(body: octets(#"{"statusCode":1200,"additionalTokens":[{"type":"JWT"}]}"#))
        }
    }

    @Test("Equality is by the bytes: canonically equivalent names differ")
    func equality() throws {
        let one = GetUAFRequest(RegistrationContext(username: try #require(UserName("Zo\u{00EB}"))))
        let other = GetUAFRequest(RegistrationContext(username: try #require(UserName("Zoe\u{0308}"))))
        #expect(one != other)
        #expect(Set([one, other, one]).count == 2)
    }
}
