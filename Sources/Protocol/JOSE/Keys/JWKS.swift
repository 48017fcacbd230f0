import Octets
import StrictJSON

/// A set of public keys (RFC 7517, 5).
public struct JWKS: Sendable {
    /// The keys, in the order of the document.
    public let keys: [JWK]

    /// A set of keys.
    ///
    /// Throws ``JOSEError/malformedKey`` when two keys have the same identifier.
    public init(_ keys: [JWK]) throws(JOSEError) {
        let identifiers = keys.compactMap { $0.keyID.map { Array($0.utf8) } }
        guard Set(identifiers).count == identifiers.count else { throw .malformedKey }
        self.keys = keys
    }

    /// Reads the JSON text of a set.
    ///
    /// Keys of types, curves or sizes that we do not offer are left out, as RFC 7517 asks: issuers publish them for
    /// others. Throws ``JOSEError/malformedKey``, or ``JOSEError/privateKeyMaterial`` when an issuer published a
    /// private key.
    public init(json text: [UInt8]) throws(JOSEError) {
        let limits = JSONLimits(byteCount: 256 * 1024, depth: 6, elementCount: 256)
        guard let document = try? JSONParser.parse(text, limits: limits).asObject(),
            case .array(let values) = document["keys"]
        else { throw .malformedKey }
        var keys: [JWK] = []
        for value in values {
            guard let key = try Self.usableKey(value) else { continue }
            keys.append(key)
        }
        try self.init(keys)
    }

    /// The JSON text of the set.
    public var json: [UInt8] {
        JSONWriter.write(.object(["keys": .array(keys.map { .object($0.members) })]))
    }

    /// The key with exactly this identifier.
    public func key(id: String) -> JWK? {
        keys.first { $0.keyID?.hasSameOctets(as: id) ?? false }
    }

    /// The key that a token with this header has to be verified with.
    ///
    /// A header without `kid` finds a key only when exactly one of the set is for its algorithm. Throws
    /// ``JOSEError/unknownKey``.
    public func key(for header: JOSEHeader) throws(JOSEError) -> JWK {
        if let keyID = header.keyID {
            guard let key = key(id: keyID) else { throw .unknownKey }
            return key
        }
        let candidates = keys.filter { (try? $0.verificationAlgorithm()) == header.algorithm }
        guard let key = candidates.first, candidates.count == 1 else { throw .unknownKey }
        return key
    }

    /// A key of the set, nil when it is of a kind that we do not offer.
    private static func usableKey(_ value: JSONValue) throws(JOSEError) -> JWK? {
        if let type = try? value.asObject().string("kty"), !type.hasSameOctets(as: "EC"),
            !type.hasSameOctets(as: "RSA")
        {
            return nil
        }
        do throws(JOSEError) {
            return try JWK(value)
        } catch {
            guard error == .unsupportedKey else { throw error }
            return nil
        }
    }
}
