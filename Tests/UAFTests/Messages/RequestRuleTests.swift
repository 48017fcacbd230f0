import Octets
import StrictJSON
import Testing
import UAF

@Suite("UAF Protocol 1.1, 3.1 to 3.6: rules of requests")
struct RequestRuleTests {
    private static let kinds = [
        MessageSample.registration, MessageSample.authentication, MessageSample.deregistration,
    ]

    @Test("Good requests of every kind are read and written back to an equal value")
    func good() throws {
        for members in Self.kinds {
            let text = "[\(MessageSample.text(members))]"
            let request = try OperationRequest(message: Array(text.utf8))
            #expect(try OperationRequest(message: request.message) == request)
        }
    }

    @Test("Every required member is missed, and neither null, empty nor of another type")
    func requiredMembers() {
        for members in Self.kinds {
            for name in members.keys {
                for value in [nil, "null", #""""#, "[]", "{}", "1", "true"] {
                    let spoiled = MessageSample.replacing(name, by: value, in: members)
                    #expect(MessageSample.clientError(spoiled) == .protocolError, "\(name): \(value ?? "absent")")
                }
            }
        }
    }

    @Test(
        "Headers: bad versions, operations, AppIDs, server data and extensions",
        arguments: [
            (#""upv":{"major":1,"minor":1},"op":"Reg""#, nil), (#""op":"Reg""#, .protocolError),
            (#""upv":{"major":1},"op":"Reg""#, .protocolError),
            (#""upv":{"major":null,"minor":1},"op":"Reg""#, .protocolError),
            (#""upv":{"major":"1","minor":1},"op":"Reg""#, .protocolError),
            (#""upv":{"major":65536,"minor":1},"op":"Reg""#, .protocolError),
            (#""upv":{"major":1,"minor":7},"op":"Reg""#, .unsupportedVersion),
            (#""upv":{"major":1,"minor":0},"op":"Reg""#, .unsupportedVersion),
            (#""upv":{"major":1,"minor":1}"#, .protocolError),
            (#""upv":{"major":1,"minor":1},"op":"REG""#, .protocolError),
            (#""upv":{"major":1,"minor":1},"op":null"#, .protocolError),
            (#""upv":{"major":1,"minor":1},"op":"Reg","appID":null"#, nil),
            (#""upv":{"major":1,"minor":1},"op":"Reg","appID":"""#, nil),
            (#""upv":{"major":1,"minor":1},"op":"Reg","appID":1"#, .protocolError),
            (#""upv":{"major":1,"minor":1},"op":"Reg","serverData":"""#, .protocolError),
            (#""upv":{"major":1,"minor":1},"op":"Reg","serverData":null"#, .protocolError),
            (#""upv":{"major":1,"minor":1},"op":"Reg","serverData":"x""#, nil),
            (#""upv":{"major":1,"minor":1},"op":"Reg","exts":{}"#, .protocolError),
            (#""upv":{"major":1,"minor":1},"op":"Reg","exts":[1]"#, .protocolError),
            (#""upv":{"major":1,"minor":1},"op":"Reg","unknown":1"#, nil),
            (#""upv":{"major":1,"minor":1},"op":"Reg","op":"Reg""#, .protocolError),
        ] as [(String, ClientErrorCode?)])
    func headers(members: String, expected: ClientErrorCode?) {
        let text = MessageSample.replacing("header", by: "{\(members)}", in: MessageSample.registration)
        #expect(MessageSample.clientError(text) == expected)
    }

    @Test(
        "Lengths count Unicode scalar values",
        arguments: [("a", 1), ("é", 1), ("e\u{301}", 2), ("👩‍👩‍👧", 5), ("🇨🇭", 2)])
    func scalarCounts(unit: String, scalars: Int) {
        for (limit, isAccepted) in [(512, { AppID($0) != nil }), (1536, { ServerData($0) != nil })]
            as [(Int, (String) -> Bool)]
        {
            let whole = limit / scalars
            #expect(isAccepted(String(repeating: unit, count: whole)))
            #expect(!isAccepted(String(repeating: unit, count: whole + 1)))
        }
        #expect(UserName("") == nil)
        #expect(ExtensionID(String(repeating: "x", count: 33)) == nil)
        #expect(ExtensionID(String(repeating: "x", count: 32)) != nil)
    }

    @Test("Identifiers that are canonically equivalent are not the same")
    func noNormalisation() {
        #expect(UserName("é") != UserName("e\u{301}"))
        #expect(AppID("https://é") != AppID("https://e\u{301}"))
        #expect(Set([FacetID("é"), FacetID("e\u{301}")]).count == 2)
    }

    @Test("A user name beyond 128 bytes is refused although it has few enough characters")
    func usernameBytes() {
        let long = String(repeating: "é", count: 65)
        let spoiled = MessageSample.replacing("username", by: #""\#(long)""#, in: MessageSample.registration)
        #expect(UserName(long) != nil)
        #expect(MessageSample.clientError(spoiled) == .protocolError)
    }

    @Test("Challenges have 8 to 64 bytes of unpadded base64url", arguments: [7, 8, 64, 65])
    func challengeLength(count: Int) {
        let text = Base64URL.encode([UInt8](repeating: 0xFB, count: count))
        let message = MessageSample.replacing("challenge", by: #""\#(text)""#, in: MessageSample.registration)
        #expect((MessageSample.clientError(message) == nil) == (8...64).contains(count))
    }

    @Test("Sloppy base64url is refused by default and accepted on request")
    func lenientBase64() throws {
        let text = MessageSample.replacing(
            "challenge", by: #""AAAA/+AAAAAAAA==""#, in: MessageSample.authentication)
        #expect(MessageSample.clientError(text) == .protocolError)
        var rules = DecodingRules()
        rules.toleratesSloppyBase64URL = true
        #expect(throws: Never.self) { try OperationRequest(message: Array("[\(text)]".utf8), rules: rules) }
    }

    @Test(
        "Extensions are well formed",
        arguments: [
            (#"{"id":"x","data":"","fail_if_unknown":false}"#, true),
            (#"{"id":"","data":"","fail_if_unknown":true}"#, false),
            (#"{"data":"","fail_if_unknown":true}"#, false), (#"{"id":"x","fail_if_unknown":true}"#, false),
            (#"{"id":"x","data":null,"fail_if_unknown":true}"#, false), (#"{"id":"x","data":""}"#, false),
            (#"{"id":"x","data":"","fail_if_unknown":"true"}"#, false),
            (#"{"id":"x","data":"","fail_if_unknown":null}"#, false),
            (#"{"id":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx","data":"","fail_if_unknown":true}"#, false),
        ])
    func extensions(text: String, isAccepted: Bool) {
        let header = MessageSample.header("Reg", #","exts":[\#(text)]"#)
        let message = MessageSample.replacing("header", by: header, in: MessageSample.registration)
        #expect((MessageSample.clientError(message) == nil) == isAccepted)
    }

    @Test("An unknown critical extension is reported as unknown, one that may be ignored is not")
    func criticalExtension() throws {
        let id = try ExtensionID("x").unwrapped()
        let critical = MessageExtension(id: id, data: "", failIfUnknown: true)
        let other = MessageExtension(id: id, data: "", failIfUnknown: false)
        #expect(throws: MessageError.unknownCriticalExtension) { try [other, critical].requireKnown([]) }
        #expect(throws: Never.self) { try [other, critical].requireKnown([id]) }
        #expect(throws: Never.self) { try [other].requireKnown([]) }
        #expect(MessageError.unknownCriticalExtension.clientErrorCode == .unknown)
    }

    @Test("Deregistration: empty strings widen the request only alone and in the right place")
    func deregistration() {
        let key = #"{"aaid":"F1D0#1001","keyID":"\#(MessageSample.challenge)"}"#
        for (list, isAccepted) in [
            ("[\(key)]", true), ("[\(key),\(key)]", true), (#"[{"aaid":"F1D0#1001","keyID":""}]"#, true),
            (#"[{"aaid":"","keyID":""}]"#, true), (#"[{"aaid":"","keyID":"AAAA"}]"#, false),
            (#"[\#(key),{"aaid":"","keyID":""}]"#, false), (#"[{"aaid":"F1D0#1001","keyID":""},\#(key)]"#, false),
            (#"[{"aaid":"F1D0#1001"}]"#, false), (#"[{"keyID":""}]"#, false), (#"[{"aaid":null,"keyID":""}]"#, false),
            (#"[{"aaid":1,"keyID":""}]"#, false), (#"[{"aaid":"","keyID":1}]"#, false),
        ] {
            let message = MessageSample.replacing("authenticators", by: list, in: MessageSample.deregistration)
            #expect((MessageSample.clientError(message) == nil) == isAccepted, "\(list)")
        }
    }

    @Test("The response repeats how the request spelled the AppID")
    func appIDSpelling() throws {
        for spelling in [nil, "null", #""""#, #""https://a""#] {
            let appID = spelling.map { #","appID":\#($0)"# } ?? ""
            let text = #"{"upv":{"major":1,"minor":1},"op":"Reg"\#(appID)}"#
            let header = try OperationHeader(json: JSONParser.parse(text), rules: .strict)
            #expect(JSONWriter.text(header.json) == text)
        }
    }
}
