import Crypto
import CryptoExtras
import FoundationEssentials
import StrictCBOR
import X509

/// Public key of a credential, read strictly from COSE_Key (RFC 9052, section 7; RFC 8230; RFC 9964).
package struct CredentialKey: Hashable, Sendable {
    package let algorithm: COSEAlgorithm
    /// The key as it came (COSE_Key).
    package let octets: [UInt8]
    let verifier: SignatureVerifier

    /// Reads a key that was stored; throws ``PasskeyRefusal``: `algorithm` or `publicKey`.
    package init(octets: [UInt8]) throws(PasskeyRefusal) {
        guard let map = try? CBORParser.parse(octets).map else { throw .publicKey }
        try self.init(map, octets: octets, offered: COSEAlgorithm.allCases)
    }

    init(_ map: CBORMap, octets: [UInt8], offered: [COSEAlgorithm]) throws(PasskeyRefusal) {
        guard let number = map[number: Label.algorithm]?.integer else { throw .publicKey }
        guard let algorithm = COSEAlgorithm(rawValue: number), offered.contains(algorithm) else { throw .algorithm }
        guard let verifier = Self.verifier(map, algorithm) else { throw .publicKey }
        self.algorithm = algorithm
        self.octets = octets
        self.verifier = verifier
    }

    package static func == (one: CredentialKey, other: CredentialKey) -> Bool { one.octets == other.octets }

    package func hash(into hasher: inout Hasher) { hasher.combine(octets) }

    // MARK: - COSE

    /// Names of members, and their values.
    private enum Label {
        static let kind: Int64 = 1
        static let algorithm: Int64 = 3
        static let curve: Int64 = -1
        static let x: Int64 = -2
        static let y: Int64 = -3
        static let modulus: Int64 = -1
        static let exponent: Int64 = -2
        static let publicKey: Int64 = -1
    }

    private enum Kind {
        static let octetPair: Int64 = 1
        static let ellipticCurve: Int64 = 2
        static let rsa: Int64 = 3
        static let algorithmPair: Int64 = 7
    }

    private enum Curve {
        static let p256: Int64 = 1
        static let ed25519: Int64 = 6
    }

    private static let coordinateByteCount = 32
    private static let modulusByteCounts = 256...512
    private static let exponent: [UInt8] = [1, 0, 1]

    private static func verifier(_ map: CBORMap, _ algorithm: COSEAlgorithm) -> SignatureVerifier? {
        switch algorithm {
        case .es256:
            guard has(map, members: 5, kind: Kind.ellipticCurve, curve: Curve.p256),
                let x = octets(map, Label.x), let y = octets(map, Label.y)
            else { return nil }
            return (try? P256.Signing.PublicKey(x963Representation: [4] + x + y)).map(SignatureVerifier.es256)
        case .eddsa:
            guard has(map, members: 4, kind: Kind.octetPair, curve: Curve.ed25519), let x = octets(map, Label.x) else {
                return nil
            }
            return (try? Curve25519.Signing.PublicKey(rawRepresentation: x)).map(SignatureVerifier.eddsa)
        case .mldsa65:
            guard has(map, members: 3, kind: Kind.algorithmPair, curve: nil),
                let octets = map[number: Label.publicKey]?.octets
            else { return nil }
            return (try? MLDSA65.PublicKey(rawRepresentation: octets)).map(SignatureVerifier.mldsa65)
        case .rs256:
            guard has(map, members: 4, kind: Kind.rsa, curve: nil), let modulus = map[number: Label.modulus]?.octets,
                modulusByteCounts.contains(modulus.count), modulus.first.map({ $0 >= 0x80 }) == true,
                map[number: Label.exponent]?.octets == exponent
            else { return nil }
            return (try? _RSA.Signing.PublicKey(n: modulus, e: exponent)).map(SignatureVerifier.rs256)
        }
    }

    private static func has(_ map: CBORMap, members: Int, kind: Int64, curve: Int64?) -> Bool {
        guard map.members.count == members, map[number: Label.kind]?.integer == kind else { return false }
        return curve == nil || map[number: Label.curve]?.integer == curve
    }

    private static func octets(_ map: CBORMap, _ label: Int64) -> [UInt8]? {
        guard let octets = map[number: label]?.octets, octets.count == coordinateByteCount else { return nil }
        return octets
    }
}
