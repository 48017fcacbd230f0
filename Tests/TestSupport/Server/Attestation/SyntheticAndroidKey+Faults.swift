import Crypto
package import DeviceAttestation
import SwiftASN1
import X509

extension SyntheticAndroidKey {
    /// Fault of such a statement, and its refusal.
    package typealias Fault = StatementFault<SyntheticAndroidKey, AndroidRefusal>

    /// Attestations of keys, each with one fault, whatever is demanded beyond the default.
    package static let faults: [Fault] = [
        Fault("no description", .extensionMissing) { $0.hasDescription = false },
        Fault("octets behind the description", .malformed) { $0.trailing = [0] },
        Fault("schema 0", .unknownVersion) { $0.version = 0 },
        Fault("schema of the future", .unknownVersion) { $0.version = 500 },
        Fault("unknown place of the attestation", .malformed) { $0.attestationLevel = 3 },
        Fault("unknown place of the key", .malformed) { $0.keyLevel = 3 },
        Fault("another challenge", .wrongChallenge) { $0.challenge[0] ^= 1 },
        Fault("no challenge", .wrongChallenge) { $0.challenge = [] },
        Fault("attestation by software", .securityLevel) { $0.attestationLevel = 0 },
        Fault("key in software", .securityLevel) { $0.keyLevel = 0 },
        Fault("RSA key", .keyKind) { $0.hardware[2] = Self.integer(1) },
        Fault("no algorithm", .keyKind) { $0.hardware[2] = nil },
        Fault("algorithm that only the system vouches for", .keyKind) {
            $0.software[2] = $0.hardware[2]
            $0.hardware[2] = nil
        },
        Fault("key of 384 bits", .keyKind) { $0.hardware[3] = Self.integer(384) },
        Fault("key on P-384", .keyKind) { $0.hardware[10] = Self.integer(2) },
        Fault("certified key on P-384", .keyKind) { $0.certifiedKey = .init(P384.Signing.PrivateKey().publicKey) },
        Fault("another certified key", .foreignKey) { $0.certifiedKey = .init(P256.Signing.PrivateKey().publicKey) },
        Fault("imported key", .origin) { $0.hardware[702] = Self.integer(2) },
        Fault("derived key", .origin) { $0.hardware[702] = Self.integer(1) },
        Fault("key of unknown origin", .origin) { $0.hardware[702] = Self.integer(3) },
        Fault("origin that only the system vouches for", .origin) {
            $0.software[702] = $0.hardware[702]
            $0.hardware[702] = nil
        },
        Fault("key that verifies too", .purpose) { $0.hardware[1] = Self.set([2, 3]) },
        Fault("key that decrypts", .purpose) { $0.hardware[1] = Self.set([1]) },
        Fault("key that attests others", .purpose) { $0.hardware[1] = Self.set([2, 7]) },
        Fault("no purpose", .purpose) { $0.hardware[1] = nil },
        Fault("purpose that is no set", .malformed) { $0.hardware[1] = Self.integer(2) },
        Fault("digest SHA-1 as well", .digest) { $0.hardware[5] = Self.set([2, 4]) },
        Fault("no digest", .digest) { $0.hardware[5] = Self.set([0]) },
        Fault("digests not named", .digest) { $0.hardware[5] = nil },
        Fault("key that needs no user", .access) { $0.hardware[503] = [0x05, 0x00] },
        Fault("key that needs no user, by the system", .access) { $0.software[503] = [0x05, 0x00] },
        Fault("key that names no user", .access) { $0.hardware[504] = nil },
        Fault("key of a user who is verified in no way", .access) { $0.hardware[504] = Self.integer(0) },
        Fault("user that only the system vouches for", .access) {
            $0.software[504] = $0.hardware[504]
            $0.hardware[504] = nil
        },
        Fault("key of every application", .access) { $0.software[600] = [0x05, 0x00] },
        Fault("key that stays open", .authenticationTimeout) { $0.hardware[505] = Self.integer(30) },
        Fault("key that stays open, by the system", .authenticationTimeout) { $0.software[505] = Self.integer(1) },
        Fault("no root of trust", .rootOfTrustMissing) { $0.hardware[704] = nil },
        Fault("root of trust that only the system vouches for", .rootOfTrustMissing) {
            $0.software[704] = $0.hardware[704]
            $0.hardware[704] = nil
        },
        Fault("unlocked loader", .bootState) { $0.hardware[704] = Self.rootOfTrust(isLocked: false, state: 0) },
        Fault("system signed by the user", .bootState) {
            $0.hardware[704] = Self.rootOfTrust(isLocked: true, state: 1)
        },
        Fault("system that was not verified", .bootState) {
            $0.hardware[704] = Self.rootOfTrust(isLocked: true, state: 2)
        },
        Fault("failed start", .bootState) { $0.hardware[704] = Self.rootOfTrust(isLocked: true, state: 3) },
        Fault("root of trust that is none", .malformed) { $0.hardware[704] = [0x30, 0x00] },
        Fault("certificate that has expired", .path(.noValidPath)) {
            $0.wish.validity = 1_577_836_800...1_700_000_000
        },
        Fault("certificate with an unknown critical extension", .path(.noValidPath)) {
            $0.wish.extensions = [.init(oid: [1, 2, 3, 4], critical: true, value: [0x05, 0x00])]
        },
    ]
}
