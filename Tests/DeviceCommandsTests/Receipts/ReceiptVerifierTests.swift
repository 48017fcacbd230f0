import Crypto
import JOSE
import Octets
import Receipts
import StrictJSON
import Testing
import UAF

@Suite("Receipts are verified without the server, and each change names its finding")
struct ReceiptVerifierTests {
    private let stage: ReceiptStage

    init() throws {
        stage = try ReceiptStage()
    }

    private func refusal(_ receipt: String, audit: [[UInt8]]? = nil) throws -> ReceiptError? {
        let keys = try stage.keys
        do throws(ReceiptError) {
            _ = try ReceiptVerifier().verify(receipt, keys: keys, audit: audit)
            return nil
        } catch {
            return error
        }
    }

    @Test("An honest receipt says who has confirmed which text with which key")
    func honest() throws {
        let receipt = try stage.receipt(stage.claims(stage.content(text: stage.text)))
        let verified = try ReceiptVerifier().verify(receipt, keys: stage.keys, audit: nil)
        #expect(verified.text == stage.text && verified.username == "jeff" && verified.subject == "jeff-ext")
        #expect(verified.credential == stage.credential && verified.protection == "chip")
        #expect(verified.issuer == "https://login.example.com" && verified.audience == "client:shop")
        let plain = try stage.receipt(stage.claims(stage.content(text: nil)))
        #expect(try ReceiptVerifier().verify(plain, keys: stage.keys, audit: nil).text == nil)
    }

    @Test("A changed text or amount, with or without a fitting SHA-256: the text does not hold")
    func changedText() throws {
        let assertion = try stage.assertion(of: stage.text)
        let changed = try stage.content(text: "Pay 900 EUR to Änna", assertion: assertion)
        #expect(try refusal(stage.receipt(stage.claims(changed))) == .refused(.text))
        let dropped = try stage.content(text: nil, assertion: assertion)
        #expect(try refusal(stage.receipt(stage.claims(dropped))) == .refused(.text))
        let honest = try stage.content(text: stage.text)
        let forged = String(decoding: JSONWriter.write(.object(stage.claims(honest))), as: UTF8.self)
            .replacing("100 EUR", with: "900 EUR")
        let members = try JSONParser.parse(forged).asObject()
        #expect(try refusal(stage.receipt(members)) == .refused(.text))
    }

    @Test("Another public key, or a signature by another key: the assertion does not hold")
    func changedKey() throws {
        let other = P256.Signing.PrivateKey()
        let swapped = try stage.content(text: stage.text, publicKey: other.publicKey)
        #expect(try refusal(stage.receipt(stage.claims(swapped))) == .refused(.assertion))
        let forged = try stage.content(text: stage.text, assertion: stage.assertion(of: stage.text, by: other))
        #expect(try refusal(stage.receipt(stage.claims(forged))) == .refused(.assertion))
        let broken = try stage.content(text: stage.text, assertion: [0x02, 0x3E, 0x00, 0x00])
        #expect(try refusal(stage.receipt(stage.claims(broken))) == .refused(.assertion))
    }

    @Test("Other parameters of the challenge, or ones that cannot be read: the challenge does not hold")
    func changedChallenge() throws {
        let other = try FinalChallengeParameters(
            appID: #require(AppID("https://evil.example.com/facets")), challenge: stage.parameters.challenge,
            facetID: stage.parameters.facetID)
        for text in [other.encoded, stage.parameters.encoded + "A", "%", ""] {
            let content = try stage.content(text: stage.text, finalChallenge: text)
            #expect(try refusal(stage.receipt(stage.claims(content))) == .refused(.challenge))
        }
    }

    @Test(
        "Signed by a key that is not in the set, or changed after the signature: the server's signature does not hold")
    func serverSignature() throws {
        let claims = try stage.claims(stage.content(text: stage.text))
        let other = P256.Signing.PrivateKey()
        #expect(try refusal(stage.receipt(claims, by: other)) == .refused(.serverSignature))
        #expect(try refusal(stage.receipt(claims, by: other, named: "other")) == .refused(.serverSignature))
        let parts = try stage.receipt(claims).split(separator: ".")
        let payload = JSONWriter.write(.object(try stage.claims(stage.content(text: nil))))
        let changed = "\(parts[0]).\(Base64URL.encode(payload)).\(parts[2])"
        #expect(try refusal(changed) == .refused(.serverSignature))
    }

    @Test("Algorithm none, another type, no receipt at all, or a receipt of another version: refused")
    func form() throws {
        let claims = try stage.claims(stage.content(text: stage.text))
        let honest = try stage.receipt(claims)
        let parts = honest.split(separator: ".")
        let header = Base64URL.encode(Array(#"{"alg":"none","typ":"signet-receipt+jwt","kid":"receipts-1"}"#.utf8))
        #expect(try refusal("\(header).\(parts[1]).") == .refused(.serverSignature))
        for type in ["JWT", "at+jwt", "signet-result+jwt", "signet-status+jwt", "SIGNET-RECEIPT+JWT"] {
            #expect(try refusal(stage.receipt(claims, type: type)) == .malformed(claim: "typ"))
        }
        for text in ["", ".", "a.b.c", String(repeating: "A", count: Receipt.byteLimit + 1)] {
            #expect(try refusal(text) == .malformed(claim: nil))
        }
        let older = JSONObject(
            distinct: claims.members.map { $0.name == "ver" ? JSONObject.Member("ver", .integer(1)) : $0 })
        #expect(try refusal(stage.receipt(older)) == .malformed(claim: "ver"))
    }

    @Test(
        "Each claim has to be there",
        arguments: ["iss", "aud", "sub", "sid", "iat", "key", "assertion", "fcParams", "audit"])
    func missing(claim: String) throws {
        let claims = try stage.claims(stage.content(text: stage.text))
        let without = JSONObject(distinct: claims.members.filter { $0.name != claim })
        #expect(try refusal(stage.receipt(without)) == .malformed(claim: claim))
    }

    @Test("The exported audit has the record at its place, and the record names ceremony and text")
    func audit() throws {
        let record = stage.record(text: stage.text)
        let content = try stage.content(text: stage.text)
        let receipt = try stage.receipt(stage.claims(content, record: record.hash))
        #expect(try refusal(receipt, audit: [Array("{}".utf8), record.line]) == nil)
        #expect(try refusal(receipt, audit: []) == .refused(.audit))
        #expect(try refusal(receipt, audit: [stage.record(sequence: 43, text: stage.text).line]) == .refused(.audit))
        for other in [
            stage.record(ceremony: "CCCCCCCCCCCCCCCCCCCCCC", text: stage.text), stage.record(text: "Pay 1 EUR"),
            stage.record(text: nil),
        ] {
            let moved = try stage.receipt(stage.claims(content, record: other.hash))
            #expect(try refusal(moved, audit: [other.line]) == .refused(.audit))
        }
        let forged = String(decoding: record.line, as: UTF8.self).replacing("TRANSACTION_", with: "REGISTRATION_")
        #expect(try refusal(receipt, audit: [Array(forged.utf8)]) == .refused(.audit))
    }
}
