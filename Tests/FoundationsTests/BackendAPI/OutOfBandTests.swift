import BackendAPI
import Testing
import UAF

@Suite("backend-http-api 2.6: out-of-band payloads")
struct OutOfBandEnvelopeTests {
    private static let text = """
        {"nma_data":{"token":"b4b07559-f934-4597-a1c5-44d89f691e8f",\
        "redeem_url":"https://fido.siven.ch/nevisfido/token/redeem/registration"},\
        "nma_data_content_type":"application/json","nma_data_version":"1"}
        """

    private func envelope(_ text: String) throws(BackendAPIError) -> OutOfBandEnvelope {
        try OutOfBandEnvelope(body: Array(text.utf8))
    }

    private func plain(_ text: String) throws -> OutOfBandContent {
        guard case .plain(let content) = try envelope(text).content else {
            Issue.record("not plain")
            throw BackendAPIError.unsupportedMediaType
        }
        return content
    }

    @Test("The example of the reference is read, and written with the same bytes in the same order")
    func example() throws {
        let content = try plain(Self.text)
        #expect(content.token == "b4b07559-f934-4597-a1c5-44d89f691e8f")
        #expect(content.redeemURL == "https://fido.siven.ch/nevisfido/token/redeem/registration")
        #expect(content.attributes.data == nil && content.channelLinking == nil)
        let again = OutOfBandEnvelope(.plain(content))
        #expect(String(decoding: again.body, as: UTF8.self) == Self.text)
        #expect(again.base64URL.hasPrefix("eyJubWFfZGF0YSI6eyJ0b2tlbiI6ImI0YjA3NTU5LWY5MzQt"))
        #expect(again.base64URL.hasSuffix("IxIn0"))
        #expect(try OutOfBandEnvelope(base64URL: again.base64URL) == again)
    }

    @Test("The data of a push message are read, with the service's own members beside and the content as text")
    func push() throws {
        let data = #"""
            {"gcm.message_id":"1","aps":{"sound":"default"},"nma_data_version":"1",
             "nma_data":"{\"token\":\"t\",\"redeem_url\":\"https://h/r\",\"amount\":\"5\"}",
             "nma_data_content_type":"application/json"}
            """#
        let content = try plain(data)
        #expect(content.token == "t")
        #expect(content.attributes.data == #"{"amount":"5"}"#)
        let encrypted = #"{"nma_data":"a.b.c.d.e","nma_data_content_type":"application/jose","nma_data_version":"1"}"#
        #expect(try envelope(encrypted).content == .encrypted("a.b.c.d.e"))
        let members = OutOfBandEnvelope(.encrypted("a.b.c.d.e")).textMembers
        #expect(members.map(\.name) == ["nma_data", "nma_data_content_type", "nma_data_version"])
        #expect(members.map(\.value) == ["a.b.c.d.e", "application/jose", "1"])
    }

    @Test(
        "Another version or content type is unsupported, not malformed",
        arguments: [
            #"{"nma_data":{},"nma_data_content_type":"application/json","nma_data_version":"2"}"#,
            #"{"nma_data":"x","nma_data_content_type":"text/plain","nma_data_version":"1"}"#,
        ])
    func unsupported(text: String) {
        #expect(throws: BackendAPIError.unsupportedMediaType) { try envelope(text) }
    }

    @Test(
        "What lacks a part, or has one of another kind, is refused",
        arguments: [
            "", "[]", "{}", #"{"nma_data":{},"nma_data_content_type":"application/json","nma_data_version":1}"#,
            #"{"nma_data":{"token":"t"},"nma_data_content_type":"application/json","nma_data_version":"1"}"#,
            #"{"nma_data":{"token":"","redeem_url":"u"},"nma_data_content_type":"application/json","nma_data_version":"1"}"#,
            #"{"nma_data":{"a":"b"},"nma_data_content_type":"application/jose","nma_data_version":"1"}"#,
            #"{"nma_data":"{","nma_data_content_type":"application/json","nma_data_version":"1"}"#,
        ])
    func refused(text: String) {
        #expect(throws: BackendAPIError.self) { try envelope(text) }
    }

    @Test("Text that is not base64url, or too long, is refused")
    func notBase64URL() {
        for text in ["", "!", "Zm9v", String(repeating: "A", count: OutOfBandEnvelope.maximumByteCount + 4)] {
            #expect(throws: BackendAPIError.self) { try OutOfBandEnvelope(base64URL: text) }
        }
    }

    @Test("An initiator cannot set the members of the payload itself")
    func reserved() throws {
        for name in ["token", "redeem_url", "channel_linking"] {
            #expect(throws: BackendAPIError.invalidMember(path: ["data"])) {
                try DispatchInformation(body: Array(#"{"data":{"\#(name)":"x"}}"#.utf8))
            }
        }
        let allowed = try DispatchInformation(body: Array(#"{"data":{"color":"red"}}"#.utf8))
        let content = OutOfBandContent(token: "t", redeemURL: "https://h/r", attributes: allowed.attributes)
        #expect(try OutOfBandContent(body: content.body).attributes.data == #"{"color":"red"}"#)
        let text = OutOfBandContent(token: "t", redeemURL: "https://h/r", attributes: .text("plain"))
        #expect(try OutOfBandContent(body: text.body).attributes.data == "plain")
    }

    @Test("In typed mode the payload says how many digits there are, never which")
    func linking() throws {
        let typed = OutOfBandContent(token: "t", redeemURL: "https://h/r", channelLinking: .typed(length: 2))
        #expect(try OutOfBandContent(body: typed.body).channelLinking == .typed(length: 2))
        let compare = OutOfBandContent(token: "t", redeemURL: "https://h/r", channelLinking: .compare("42"))
        #expect(try OutOfBandContent(body: compare.body).channelLinking?.digits == "42")
        for wrong in [
            #"{"mode":"typed","length":1}"#, #"{"mode":"typed"}"#, #"{"mode":"none"}"#,
            #"{"mode":"compare","digits":"4a"}"#,
        ] {
            let body = #"{"token":"t","redeem_url":"u","channel_linking":\#(wrong)}"#
            #expect(throws: BackendAPIError.self, "\(wrong)") { try OutOfBandContent(body: Array(body.utf8)) }
        }
    }
}

@Suite("backend-http-api 2.2 and 3: dispatching and status")
struct DispatchTests {
    @Test("A dispatch request is read as its writers spell it: information as an object or as text")
    func request() throws {
        let context = #""{\"username\":\"jeff\"}""#
        let information = #"{"notification":{"title":"Confirm"},"data":{}}"#
        let quoted = #""{\"notification\":{\"title\":\"Confirm\"},\"data\":{}}""#
        for spelled in [information, quoted] {
            let body = """
                {"dispatchTargetId":"c3d5","dispatcher":"firebase-cloud-messaging","dispatchInformation":\(spelled),\
                "channelLinking":{"mode":"typed"},"getUafRequest":{"op":"Auth","context":\(context)}}
                """
            let request = try DispatchRequest(body: Array(body.utf8))
            #expect(request.dispatcher == .firebaseCloudMessaging && request.dispatchTargetID == "c3d5")
            #expect(request.dispatchInformation?.title == "Confirm")
            #expect(request.dispatchInformation?.notification == #"{"title":"Confirm"}"#)
            #expect(request.channelLinking == .typed)
            #expect(try request.request.context(as: AuthenticationContext.self).username?.text == "jeff")
            #expect(try DispatchRequest(body: request.body) == request)
        }
        for wrong in ["{}", #"{"getUafRequest":[]}"#, #"{"getUafRequest":{"op":"Auth"},"dispatchInformation":"{"}"#] {
            #expect(throws: BackendAPIError.self, "\(wrong)") { try DispatchRequest(body: Array(wrong.utf8)) }
        }
    }

    @Test("An answer is read as it was written, with and without a token")
    func answer() throws {
        let answers = [
            DispatchAnswer(
                token: "t", sessionID: "s", dispatcherInformation: .init(name: .link, response: "https://link"),
                channelLinking: .init(mode: .typed, digits: "07")),
            DispatchAnswer(failed: .dispatchTargetNotFound),
        ]
        for answer in answers {
            let again = try DispatchAnswer(body: answer.body)
            #expect(again == answer && again.channelLinking == answer.channelLinking)
        }
    }

    @Test("The text of a drawn code stays in the process that has drawn it: the message is the same without it")
    func codeText() throws {
        func answer(_ codeText: String?) -> DispatchAnswer {
            DispatchAnswer(
                token: "t", sessionID: "s",
                dispatcherInformation: DispatcherInformation(name: .pngQRCode, response: "iVBO", codeText: codeText))
        }
        #expect(answer("eyJ").dispatcherInformation?.codeText == "eyJ")
        #expect(answer("eyJ").body == answer(nil).body)
        #expect(try DispatchAnswer(body: answer("eyJ").body).dispatcherInformation?.codeText == nil)
    }

    @Test("A status is read as it was written")
    func status() throws {
        let aaid = try #require(AAID("F1D0#1001"))
        let keyID = try #require(KeyID(base64URL: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"))
        let status = SessionStatus(
            .succeeded, sinceMilliseconds: 1_769_860_801_071,
            outcome: .init(
                userID: "1000", uafStatus: .ok,
                authenticators: [.init(credential: CredentialID(aaid: aaid, keyID: keyID), externalID: "x")]),
            tokenInformation: .init(dispatchTargetExternalID: "e", result: .redeemed))
        let again = try SessionStatus(body: status.body)
        #expect(again == status && again.timestamp == "2026-01-31T12:00:01.071Z" && again.status.isFinal)
        #expect(!SessionStatus(.tokenCreated, sinceMilliseconds: 0).status.isFinal)
        #expect(throws: BackendAPIError.self) {
            try StatusRequest(body: Array(#"{"sessionId":"s","waitMillis":-1}"#.utf8))
        }
    }

    @Test("A name in a path cannot leave its component")
    func pathComponents() {
        #expect(Endpoint.deviceCredentials.parameter == "deviceId")
        #expect(Endpoint.status.parameter == nil)
        let path = Endpoint.deviceCredentials.path(naming: "com.example.app#1/../x y\u{e9}")
        #expect(path == "/devices/credentials/com.example.app%231%2F..%2Fx%20y%C3%A9")
        #expect(PathComponent.decode("a%2Fb%C3%A9") == "a/b\u{e9}")
        for broken in ["%", "%2", "%zz", "%FF"] { #expect(PathComponent.decode(broken) == nil, "\(broken)") }
    }
}
