import Octets
import StrictJSON

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
