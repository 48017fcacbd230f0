import Crypto
package import DeviceAttestation
import StrictCBOR
import SwiftASN1
import X509

extension SyntheticAppAttest {
    /// Fault of such a statement, and its refusal.
    package typealias Fault = StatementFault<SyntheticAppAttest, AppAttestRefusal>

    /// Statements about new keys, each with one fault, where the environment of production is demanded.
    package static let faults: [Fault] = [
        Fault("another format", .format) { $0.format = "packed" },
        Fault("format in capitals", .format) { $0.format = "Apple-AppAttest" },
        Fault("no format", .structure) { $0.members = ["fmt": .null] },
        Fault("format of octets", .structure) { $0.members = ["fmt": .bytes([1])] },
        Fault("no statement", .structure) { $0.members = ["attStmt": .null] },
        Fault("statement that is a list", .structure) { $0.members = ["attStmt": .array([])] },
        Fault("no authenticator data", .structure) { $0.members = ["authData": .null] },
        Fault("authenticator data of text", .structure) { $0.members = ["authData": .text("x")] },
        Fault("one member too many", .structure) { $0.members = ["epAtt": .bool(true)] },
        Fault("no certificates", .structure) { $0.statementMembers = ["x5c": .null] },
        Fault("certificates of text", .structure) { $0.statementMembers = ["x5c": .array([.text("x")])] },
        Fault("no receipt", .structure) { $0.statementMembers = ["receipt": .null] },
        Fault("signature beside the certificates", .structure) { $0.statementMembers = ["sig": .bytes([])] },
        Fault("empty list of certificates", .path(.malformed)) { $0.statementMembers = ["x5c": .array([])] },
        Fault("certificate that is none", .path(.malformed)) {
            $0.statementMembers = ["x5c": .array([.bytes([0x30, 0])])]
        },
        Fault("too many certificates", .path(.tooLong)) {
            $0.statementMembers = ["x5c": .array([CBORValue](repeating: .bytes([]), count: 9))]
        },
        Fault("certificate that has expired", .path(.noValidPath)) {
            $0.wish.validity = 1_577_836_800...1_700_000_000
        },
        Fault("certificate of the future", .path(.noValidPath)) { $0.wish.validity = 1_900_000_000...4_000_000_000 },
        Fault("certificate with an unknown critical extension", .path(.noValidPath)) {
            $0.wish.extensions = [.init(oid: [1, 2, 3, 4], critical: true, value: [0x05, 0x00])]
        },
        Fault("no nonce", .nonceMissing) { $0.hasNonce = false },
        Fault("nonce without its tag", .nonceMissing) {
            $0.nonceExtension = [0x30, 0x22, 0x04, 0x20] + [UInt8](repeating: 0, count: 32)
        },
        Fault("nonce with another tag", .nonceMissing) {
            $0.nonceExtension = [0x30, 0x24, 0xA2, 0x22, 0x04, 0x20] + [UInt8](repeating: 0, count: 32)
        },
        Fault("two nonces", .nonceMissing) {
            $0.nonceExtension = [0x30, 0x08, 0xA1, 0x02, 0x04, 0x00, 0xA1, 0x02, 0x04, 0x00]
        },
        Fault("extension that is no DER", .nonceMissing) { $0.nonceExtension = [0x30, 0x80] },
        Fault("another nonce", .wrongNonce) {
            $0.nonceExtension = [0x30, 0x24, 0xA1, 0x22, 0x04, 0x20] + [UInt8](repeating: 0, count: 32)
        },
        Fault("empty nonce", .wrongNonce) { $0.nonceExtension = [0x30, 0x04, 0xA1, 0x02, 0x04, 0x00] },
        Fault("certified key on P-384", .keyKind) { $0.certifiedKey = .init(P384.Signing.PrivateKey().publicKey) },
        Fault("another certified key", .wrongKeyID) { $0.certifiedKey = .init(P256.Signing.PrivateKey().publicKey) },
        Fault("another application", .foreignApplication) {
            $0.applicationDigest = Array(SHA256.hash(data: Array("TEAM123456.com.example".utf8)))
        },
        Fault("counter that is not 0", .counterNotZero) { $0.counter = 1 },
        Fault("identifier of no environment", .environment) { $0.aaguid = [UInt8](repeating: 0, count: 16) },
        Fault("key of the development environment", .environment) { $0.aaguid = Array("appattestdevelop".utf8) },
        Fault("no key in the authenticator data", .authenticatorData) { $0.flags = 0 },
        Fault("extensions in the authenticator data", .authenticatorData) { $0.flags = 0xC0 },
        Fault("octets behind the key", .authenticatorData) { $0.authenticatorDataTrailing = [0xA0] },
        Fault("digest of the application too short", .authenticatorData) { $0.applicationDigest = [] },
        Fault("another identifier in the authenticator data", .wrongKeyID) { $0.credentialID = [1, 2] },
        Fault("another key in the authenticator data", .foreignKey) {
            $0.keyMembers = [-2: .bytes([UInt8](repeating: 1, count: 32))]
        },
        Fault("key of another kind", .authenticatorData) { $0.keyMembers = [1: .integer(1)] },
        Fault("key for another algorithm", .authenticatorData) { $0.keyMembers = [3: .integer(-35)] },
        Fault("key on another curve", .authenticatorData) { $0.keyMembers = [-1: .integer(2)] },
        Fault("coordinate too short", .authenticatorData) { $0.keyMembers = [-3: .bytes([1])] },
        Fault("compressed point", .authenticatorData) { $0.keyMembers = [-3: .bool(true)] },
        Fault("one member of the key too many", .authenticatorData) { $0.keyMembers = [4: .array([])] },
    ]
}
