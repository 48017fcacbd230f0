import Octets
import StrictJSON

/// The protected header of a compact JWS, reduced to what is understood of it.
///
/// Understood are `alg`, `kid`, `typ` and `cty`. Other members are ignored (RFC 7515, 4), above all those that bring or
/// point to a key or a certificate (`jwk`, `jku`, `x5c`, `x5u`, `x5t`): with them an attacker would choose the key that
/// their own token is verified with. `crit` is refused: it names extensions that must be understood, and none is. So is a
/// `b64` that says that the payload is not encoded (RFC 7797), as others would read another payload.
public struct JOSEHeader: Sendable {
    /// The algorithm that the token says it was made with.
    public let algorithm: JWSAlgorithm
    /// The identifier of the key; a hint that never decides alone.
    public let keyID: String?
    /// The media type of the whole token, for example `JWT`.
    public let type: String?
    /// The media type of the payload.
    public let contentType: String?

    /// A header for a token to be made.
    public init(algorithm: JWSAlgorithm, keyID: String? = nil, type: String? = nil, contentType: String? = nil) {
        self.algorithm = algorithm
        self.keyID = keyID
        self.type = type
        self.contentType = contentType
    }
}

extension JOSEHeader {
    private static let understoodMembers = ["alg", "kid", "typ", "cty"]

    /// Reads the JSON text of a header.
    ///
    /// Throws ``JOSEError/malformedToken`` when it is no JSON object or repeats a member, ``JOSEError/refusedHeader``
    /// for `crit`, `b64` and for an understood member that is no text, or ``JOSEError/unsupportedAlgorithm``.
    public init(json text: [UInt8]) throws(JOSEError) {
        let limits = JSONLimits(byteCount: 16 * 1024, depth: 4, elementCount: 64)
        guard let members = try? JSONParser.parse(text, limits: limits).asObject() else { throw .malformedToken }
        guard members["crit"] == nil, members["b64"].map({ $0 == .bool(true) }) ?? true else { throw .refusedHeader }
        var texts: [String: String] = [:]
        for name in Self.understoodMembers {
            switch members[name] {
            case nil: continue
            case .string(let text): texts[name] = text
            default: throw .refusedHeader
            }
        }
        guard let name = texts["alg"] else { throw .refusedHeader }
        guard let algorithm = JWSAlgorithm(exactly: name) else { throw .unsupportedAlgorithm }
        self.init(algorithm: algorithm, keyID: texts["kid"], type: texts["typ"], contentType: texts["cty"])
    }

    /// The JSON text of the header.
    public var json: [UInt8] {
        JSONWriter.write(
            .object([
                "alg": .string(algorithm.rawValue),
                "kid": keyID.map(JSONValue.string),
                "typ": type.map(JSONValue.string),
                "cty": contentType.map(JSONValue.string),
            ]))
    }
}
