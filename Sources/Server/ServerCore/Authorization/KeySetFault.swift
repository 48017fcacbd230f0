import JOSE

/// Reason for which nothing can be verified by a key set that an operator hands in, as a rule that it breaks.
package enum KeySetFault: Hashable, Sendable, CustomStringConvertible {
    case malformed
    case tooLong
    /// A private key stands in it.
    case privateKey
    /// None of its keys verifies signatures that are taken here.
    case unusable

    private static let byteLimit = 16 * 1_024

    /// Judges a key set (RFC 7517, 5); nil when a key of it can be used, whatever stands beside that key.
    package init?(of json: [UInt8]) {
        guard json.count <= Self.byteLimit else {
            self = .tooLong
            return
        }
        do throws(JOSEError) {
            if try JWKS(json: json).hasVerificationKey { return nil }
            self = .unusable
        } catch {
            self = error == .privateKeyMaterial ? .privateKey : .malformed
        }
    }

    /// The rule, for a message that begins with the name of the file or setting.
    package var description: String {
        switch self {
        case .malformed: "must be a JSON Web Key Set: an object with a list named keys"
        case .tooLong: "must have at most 16 KiB"
        case .privateKey:
            "must hold public keys only: it has a private key, so make a new pair and give its public key alone"
        case .unusable: "must hold a key that verifies ES256 (EC on P-256) or RS256 (RSA of 2048 to 4096 bits)"
        }
    }
}
