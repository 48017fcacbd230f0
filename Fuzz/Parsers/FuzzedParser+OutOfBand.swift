import BackendAPI
import JOSE
import Octets

extension FuzzedParser {
    /// Parsers of the out-of-band services' bodies, and of the payloads in QR codes, links and push messages.
    static let outOfBand: [FuzzedParser] = [
        body("created-token", CreatedToken.self),
        body("dispatch-request", DispatchRequest.self),
        body("dispatch-information", DispatchInformation.self),
        body("dispatch-answer", DispatchAnswer.self),
        body("redeem-request", RedeemRequest.self),
        body("status-request", StatusRequest.self),
        body("session-status", SessionStatus.self),
        body("out-of-band-content", OutOfBandContent.self),
        body("out-of-band-envelope", OutOfBandEnvelope.self),
        FuzzedParser("out-of-band-code") { bytes throws(FuzzFinding) in
            guard let text = try? text(bytes), let envelope = try? OutOfBandEnvelope(base64URL: text) else {
                return false
            }
            guard let again = try? OutOfBandEnvelope(base64URL: envelope.base64URL), again == envelope else {
                throw FuzzFinding(parser: "out-of-band-code", promise: "a code that was read can be written and read")
            }
            return true
        },
        FuzzedParser("out-of-band-push") { bytes throws(FuzzFinding) in
            guard let envelope = try? OutOfBandEnvelope(body: bytes) else { return false }
            // In push messages all members are strings.
            let form = JSONTexts.object(envelope.textMembers)
            guard form.count <= OutOfBandEnvelope.maximumByteCount else { return true }
            guard let again = try? OutOfBandEnvelope(body: form), again == envelope else {
                throw FuzzFinding(parser: "out-of-band-push", promise: "what travels as texts is read as the same")
            }
            return true
        },
        FuzzedParser("out-of-band-encrypted") { bytes throws(FuzzFinding) in
            guard let envelope = try? OutOfBandEnvelope(body: bytes), case .encrypted(let text) = envelope.content,
                let token = try? CompactJWE(parsing: text)
            else { return false }
            // This secret was never agreed on, so whatever the payload contains, its decryption has to fail.
            let secret = SecretOctets(copying: [UInt8](repeating: 0x5A, count: 32))
            do throws(JOSEError) {
                _ = try token.open(agreedSecret: secret)
            } catch {
                return true
            }
            throw FuzzFinding(parser: "out-of-band-encrypted", promise: "no payload opens with a foreign secret")
        },
    ]
}
