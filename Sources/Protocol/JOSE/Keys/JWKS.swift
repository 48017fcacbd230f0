import Octets
import StrictJSON

/// A set of public keys (RFC 7517, 5).
public struct JWKS: Sendable {
    /// The keys, in the order of the document.
    public let keys: [JWK]

    /// A set of keys.
    ///
    /// Throws ``JOSEError/malformedKey`` when two keys of a kind have the same identifier.
    public init(_ keys: [JWK]) throws(JOSEError) {
        let names = keys.compactMap { key in key.keyID.map { [key.isElliptic ? 1 : 0] + Array($0.utf8) } }
        guard Set(names).count == names.count else { throw .malformedKey }
        self.keys = keys
    }

    /// Reads the JSON text of a set.
    ///
    /// Keys that cannot be used are left out, as RFC 7517, 5 asks: of types, curves or sizes that we do not offer, and
    /// without a member that they need; a key that comes again counts once. Throws ``JOSEError/malformedKey`` for what is no
    /// set, or ``JOSEError/privateKeyMaterial`` when an issuer published a private key: others have it, too.
    public init(json text: [UInt8]) throws(JOSEError) {
        let limits = JSONLimits(byteCount: 256 * 1024, depth: 6, elementCount: 256)
        guard let document = try? JSONParser.parse(text, limits: limits).asObject(),
            case .array(let values) = document["keys"]
        else { throw .malformedKey }
        var keys: [JWK] = []
        for value in values {
            guard let key = try Self.usableKey(value), !keys.contains(where: { $0.isSame(as: key) }) else { continue }
            keys.append(key)
        }
        self.keys = keys
    }

    /// Whether a signature can be verified with one of the keys.
    public var hasVerificationKey: Bool { keys.contains { (try? $0.verificationAlgorithm()) != nil } }

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
    /// Keys of two kinds may share an identifier (RFC 7517, 4.5): the algorithm of the header decides between them. A header
    /// without `kid` finds a key only when exactly one of the set is for its algorithm. Throws ``JOSEError/unknownKey``.
    public func key(for header: JOSEHeader) throws(JOSEError) -> JWK {
        let named = keys.filter { key in
            header.keyID.map { key.keyID?.hasSameOctets(as: $0) ?? false } ?? true
        }
        let candidates = named.filter { (try? $0.verificationAlgorithm()) == header.algorithm }
        if let key = candidates.first, candidates.count == 1 { return key }
        // What is wrong with the only key of that name is found when it is used.
        guard let key = named.first, named.count == 1, header.keyID != nil else { throw .unknownKey }
        return key
    }

    private static func usableKey(_ value: JSONValue) throws(JOSEError) -> JWK? {
        guard let type = try? value.asObject().string("kty"),
            ["EC", "RSA"].contains(where: { type.hasSameOctets(as: $0) })
        else { return nil }
        do throws(JOSEError) {
            return try JWK(value)
        } catch {
            guard error != .privateKeyMaterial else { throw error }
            return nil
        }
    }
}

extension JWK {
    fileprivate var isElliptic: Bool { if case .p256 = material { true } else { false } }

    /// Whether another entry of a set is the same key, for the same purpose and of the same name.
    fileprivate func isSame(as other: JWK) -> Bool {
        material == other.material && keyID.map { Array($0.utf8) } == other.keyID.map { Array($0.utf8) }
            && use == other.use && algorithmName == other.algorithmName
    }
}
