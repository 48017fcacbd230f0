import Crypto
import Octets
import StrictJSON
import UAF

extension AuditEvent {
    /// Longest text taken from outside, in Unicode scalar values; the rest is cut off.
    private static let scalarLimit = 256

    /// The event as one line of JSON; control characters are escaped, so no text from outside can forge a line.
    package var json: [UInt8] {
        JSONWriter.write(
            .object([
                "ts": .string(at.iso8601),
                "event": .string(kind.rawValue),
                "userId": userID.map { .string($0.text) },
                "username": username.map { .string($0.text) },
                "sessionId": ceremonyID.map { .string($0.text) },
                "aaid": credential.map { .string($0.aaid.text) },
                "keyIdHash": credential.map { .string(Base64URL.encode(Array(SHA256.hash(data: $0.keyID.octets)))) },
                "dispatchTargetId": targetID.map { .string($0.text) },
                "uafStatusCode": statusCode.map { .integer($0.rawValue) },
                "reason": reason.map { .string($0) },
                "txnHash": transaction.map { .string(Base64URL.encode($0.octets)) },
                "actor": actor.map(\.json),
                "clientIp": Self.clipped(client.address),
                "userAgent": Self.clipped(client.userAgent),
                "traceId": Self.clipped(client.traceID),
            ]), escapesMarkup: true)
    }

    static func clipped(_ text: String?) -> JSONValue? {
        guard let text else { return nil }
        return .string(String(String.UnicodeScalarView(text.unicodeScalars.prefix(scalarLimit))))
    }
}
