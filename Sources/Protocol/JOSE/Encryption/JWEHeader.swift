import Octets
import StrictJSON

/// The protected header of a compact JWE, reduced to what is allowed in it.
///
/// The list of allowed members is closed: `alg`, `enc`, `epk`, `apu`, `apv`, `kid`, `typ` and `cty`. Everything else is
/// refused: `crit` (we understand no extension), `zip` (compressed content can grow without end and tells its length),
/// `p2c` and `p2s` (work that the sender chooses), and every member that brings or points to a key. `epk` must be a
/// point on P-256; every header was checked.
public struct JWEHeader: Sendable {
    /// Key management algorithm (`alg`).
    public let algorithm: JWEAlgorithm
    /// The cipher of the content.
    public let encryption: ContentEncryption
    /// The sender's key of this one token, on P-256; nil only with ``JWEAlgorithm/rsaOAEP256``.
    public let ephemeralKey: JWK.Material?
    /// The identifier of the key it is for; a hint that never decides alone.
    public let keyID: String?
    /// The media type of the whole token.
    public let type: String?
    /// The media type of the plaintext.
    public let contentType: String?
    /// The sender's own contribution to the key derivation (`apu`); empty when there is none.
    public let partyU: [UInt8]
    /// Information about the receiver for the key derivation (`apv`); empty when there is none.
    public let partyV: [UInt8]
}

extension JWEHeader {
    private static let allowedMembers = ["alg", "enc", "epk", "apu", "apv", "kid", "typ", "cty"]

    /// Reads the JSON text of a header.
    ///
    /// Throws ``JOSEError/malformedToken`` when it is no JSON object or repeats a member, ``JOSEError/refusedHeader``
    /// or ``JOSEError/unsupportedAlgorithm``.
    public init(json text: [UInt8]) throws(JOSEError) {
        let limits = JSONLimits(byteCount: 8 * 1024, depth: 4, elementCount: 64)
        guard let members = try? JSONParser.parse(text, limits: limits).asObject() else { throw .malformedToken }
        guard
            members.members.allSatisfy({ member in
                Self.allowedMembers.contains { member.name.hasSameOctets(as: $0) }
            })
        else { throw .refusedHeader }
        guard let algorithmName = try Self.text("alg", in: members),
            let encryptionName = try Self.text("enc", in: members)
        else { throw .refusedHeader }
        guard let algorithm = JWEAlgorithm(exactly: algorithmName),
            let encryption = ContentEncryption(exactly: encryptionName)
        else { throw .unsupportedAlgorithm }
        self.algorithm = algorithm
        self.encryption = encryption
        ephemeralKey = try Self.ephemeralKey(in: members, for: algorithm)
        keyID = try Self.text("kid", in: members)
        type = try Self.text("typ", in: members)
        contentType = try Self.text("cty", in: members)
        partyU = try Self.octets("apu", in: members)
        partyV = try Self.octets("apv", in: members)
    }

    /// The JSON text of the header.
    public var json: [UInt8] {
        JSONWriter.write(
            .object([
                "alg": .string(algorithm.rawValue),
                "enc": .string(encryption.rawValue),
                "kid": keyID.map(JSONValue.string),
                "typ": type.map(JSONValue.string),
                "cty": contentType.map(JSONValue.string),
                "epk": (ephemeralKey?.members).map(JSONValue.object),
                "apu": Self.member(partyU),
                "apv": Self.member(partyV),
            ]))
    }

    // MARK: - Members

    /// The sender's key: on P-256 where keys are agreed on, absent where they are not.
    private static func ephemeralKey(
        in members: JSONObject, for algorithm: JWEAlgorithm
    ) throws(JOSEError) -> JWK.Material? {
        guard algorithm != .rsaOAEP256 else {
            guard members["epk"] == nil, members["apu"] == nil, members["apv"] == nil else { throw .refusedHeader }
            return nil
        }
        guard let value = members["epk"], let key = try? JWK(value), case .p256 = key.material else {
            throw .refusedHeader
        }
        return key.material
    }

    private static func text(_ name: String, in members: JSONObject) throws(JOSEError) -> String? {
        do throws(JSONTypeError) {
            return try members.optionalString(name)
        } catch {
            throw .refusedHeader
        }
    }

    private static func octets(_ name: String, in members: JSONObject) throws(JOSEError) -> [UInt8] {
        guard let text = try text(name, in: members) else { return [] }
        do throws(Base64Error) {
            return try Base64URL.decode(text)
        } catch {
            throw .refusedHeader
        }
    }

    private static func member(_ octets: [UInt8]) -> JSONValue? {
        octets.isEmpty ? nil : .string(Base64URL.encode(octets))
    }
}
