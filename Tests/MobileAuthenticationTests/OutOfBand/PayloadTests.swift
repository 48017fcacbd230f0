import BackendAPI
import Foundation
import Octets
import Testing
import UAFClient

@testable import MobileAuthentication

@Suite("Payloads, backend-http-api 2.6")
struct PayloadTests {
    private static let plain =
        #"{"nma_data":{"token":"b4b07559","redeem_url":"https://h.example/redeem"},"#
        + #""nma_data_content_type":"application/json","nma_data_version":"1"}"#

    private func decode(_ change: (any OutOfBandPayloadDecode) -> Void) throws(OutOfBandPayloadError)
        -> OutOfBandPayload
    {
        let operation = OutOfBandPayloadDecodeOperation()
        change(operation)
        return try operation.perform()
    }

    @Test("A push message, a QR code and padded base64url give the same payload")
    func forms() throws {
        let json = try decode { $0.json(Self.plain) }
        let code = Base64URL.encode(Array(Self.plain.utf8))
        #expect(try decode { $0.base64UrlEncoded(code) } == json)
        #expect(json.version == "1" && json.contentType == .json && json.data == nil)
        #expect(json.redeemData == .plain(token: "b4b07559", redeemUrl: "https://h.example/redeem"))
    }

    @Test("Members of push services are ignored, data may be a text, and attributes come as data")
    func tolerance() throws {
        let push =
            #"{"aps":{"alert":"x"},"gcm.message_id":7,"nma_data":"{\"token\":\"t\",\"redeem_url\":\"https://h/r\",\"#
            + #""color\":\"red\"}","nma_data_content_type":"application/json","nma_data_version":"1"}"#
        #expect(try decode { $0.json(push) }.data == #"{"color":"red"}"#)
        let sealed = #"{"nma_data":"a.b.c.d.e","nma_data_content_type":"application/jose","nma_data_version":"1"}"#
        let payload = try decode { $0.json(sealed) }
        #expect(payload.contentType == .jose && payload.data == nil)
        #expect(payload.redeemData == .encrypted("a.b.c.d.e"))
    }

    @Test("What is no payload is MalformedPayload, and so are both inputs or none")
    func malformed() {
        var inputs = ["", "{}", "[]", "null", "\u{0}", Self.plain + "x", String(repeating: "[", count: 100_000)]
        inputs += [
            ("\"1\"", "\"2\""), ("application/json", "text/html"), ("\"token\"", "\"toke\""), ("nma_data_v", "v"),
        ]
        .map { Self.plain.replacing($0, with: $1) }
        inputs.append(
            Self.plain.replacing(
                "\"nma_data_version\":\"1\"", with: "\"nma_data_version\":\"1\",\"nma_data_version\":\"1\""))
        for input in inputs {
            for change in [{ $0.json(input) }, { $0.base64UrlEncoded(input) }] as [(any OutOfBandPayloadDecode) -> Void]
            {
                #expect {
                    _ = try decode(change)
                } throws: { error in
                    if case OutOfBandPayloadError.MalformedPayload = error { true } else { false }
                }
            }
        }
        #expect(throws: OutOfBandPayloadError.self) { try decode { _ in } }
        #expect(throws: OutOfBandPayloadError.self) {
            try decode { $0.json(Self.plain).base64UrlEncoded(Base64URL.encode(Array(Self.plain.utf8))) }
        }
    }

    @Test("An operation that was run or canceled decodes nothing")
    func reuse() throws {
        let operation = OutOfBandPayloadDecodeOperation().json(Self.plain)
        _ = try operation.perform()
        #expect(throws: OutOfBandPayloadError.self) { try operation.perform() }
        let canceled = OutOfBandPayloadDecodeOperation().json(Self.plain)
        canceled.cancel()
        #expect(throws: OutOfBandPayloadError.self) { try canceled.perform() }
    }

    @Test("The callback form tells payload or error")
    func callbacks() async {
        let token = await withCheckedContinuation { continuation in
            OutOfBandPayloadDecodeOperation().json(Self.plain).onSuccess { continuation.resume(returning: $0.version) }
                .onError { _ in continuation.resume(returning: "error") }.execute()
        }
        #expect(token == "1")
    }

    @Test("A payload is coded as its document, with everything in it, and read as object or text")
    func coding() throws {
        let linked =
            #"{"nma_data":{"token":"t","redeem_url":"https://h/r","channel_linking":{"mode":"typed","length":2},"#
            + #""note":{"a":[1,true,null,"x"]}},"nma_data_content_type":"application/json","nma_data_version":"1"}"#
        let payload = try decode { $0.json(linked) }
        let encoded = try JSONEncoder().encode(payload)
        #expect(try JSONDecoder().decode(OutOfBandPayload.self, from: encoded) == payload)
        let read = try JSONDecoder().decode(OutOfBandPayload.self, from: Data(linked.utf8))
        guard case .plain(let content) = read.content else { throw MissingFixture() }
        #expect(content.channelLinking == .typed(length: 2))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(OutOfBandPayload.self, from: Data(#"{"nma_data":1}"#.utf8))
        }
    }

    @Test("No token stands in a description")
    func secrecy() throws {
        let payload = try decode { $0.json(Self.plain) }
        var dumped = "\(payload) \(payload.redeemData)"
        dump(payload, to: &dumped)
        dump(payload.redeemData, to: &dumped)
        #expect(!dumped.contains("b4b07559"))
    }

    private static func cloud(_ response: String?, _ link: String?) -> CloudInvitation {
        CloudInvitation(enrollResponse: response.map(Sensitive.init), appLinkUri: link.map(Sensitive.init))
    }

    @Test("An enroll response and its link give the payload; anything else, both and none do not")
    func invitation() throws {
        let link = "https://i.mauth.nevis.cloud/open?dispatchTokenResponse=" + Base64URL.encode(Array(Self.plain.utf8))
        let response = #"{"userId":"1","enrollment":{"transactionId":"2","appLinkUri":"\#(link)"}}"#
        let expected = try decode { $0.json(Self.plain) }
        #expect(OutOfBandPayload(try Self.cloud(nil, link).envelope()) == expected)
        #expect(OutOfBandPayload(try Self.cloud(response, nil).envelope()) == expected)
        let bad = [
            CloudInvitation(), Self.cloud(response, link),
            Self.cloud("{}", nil),
            Self.cloud("x", nil),
            Self.cloud(nil, "https://i.example/open"),
            Self.cloud(nil, link + "&dispatchTokenResponse=eyJ"),
            Self.cloud(nil, "https://i.example/open?dispatchTokenResponse=%%%"),
        ]
        for invitation in bad {
            #expect {
                try invitation.envelope()
            } throws: { error in if case OutOfBandFailure.malformed = error { true } else { false } }
        }
    }
}
