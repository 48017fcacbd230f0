import Octets
import StrictJSON

/// The protected header of a compact JWS, reduced to what is allowed in it.
///
/// The list of allowed members is closed: `alg`, `kid`, `typ`, `cty`, and the certificate hints `x5t` and `x5t#S256`,
/// which are ignored. Everything else is refused, above all `crit` (we understand no extension, `b64` included) and
/// every member that brings or points to a key (`jwk`, `jku`, `x5c`, `x5u`): with them an attacker would choose the key
/// that their own token is verified with.
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
    private static let allowedMembers = ["alg", "kid", "typ", "cty", "x5t", "x5t#S256"]

    /// Reads the JSON text of a header.
    ///
    /// Throws ``JOSEError/malformedToken`` when it is no JSON object or repeats a member, ``JOSEError/refusedHeader``
    /// or ``JOSEError/unsupportedAlgorithm``.
    public init(json text: [UInt8]) throws(JOSEError) {
        let limits = JSONLimits(byteCount: 8 * 1024, depth: 4, elementCount: 64)
        guard let members = try? JSONParser.parse(text, limits: limits).asObject() else { throw .malformedToken }
        var texts: [String: String] = [:]
        for member in members.members {
            guard let name = Self.allowedMembers.first(where: { member.name.hasSameOctets(as: $0) }),
                case .string(let text) = member.value
            else { throw .refusedHeader }
            texts[name] = text
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
