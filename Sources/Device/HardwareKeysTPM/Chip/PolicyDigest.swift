import CTSS2
import Crypto

/// Digest of the assertions made in a policy session, as the chip computes it (TPM 2.0, part 1, section 19.7).
struct PolicyDigest: Hashable, Sendable {
    static let byteCount = SHA256.byteCount

    /// 32 bytes; zeros before anything was shown.
    private(set) var octets = [UInt8](repeating: 0, count: Self.byteCount)

    init() {}

    /// Takes a stored digest; nil unless it has 32 bytes.
    init?(octets: [UInt8]) {
        guard octets.count == Self.byteCount else { return nil }
        self.octets = octets
    }

    /// Shows one of several ways; the digest forgets which (TPM2_PolicyOR).
    init(anyOf ways: [PolicyDigest]) { extend(UInt32(TPM2_CC_PolicyOR), ways.flatMap(\.octets)) }

    /// Shows that the session is for one command (TPM2_PolicyCommandCode).
    mutating func require(command: UInt32) {
        extend(UInt32(TPM2_CC_PolicyCommandCode), Self.bytes(command))
    }

    /// Shows that the command will come with the authorisation value of its entity (TPM2_PolicyAuthValue).
    mutating func requireAuthorizationValue() { extend(UInt32(TPM2_CC_PolicyAuthValue), []) }

    /// Shows a signature of the key of that name (TPM2_PolicySigned, without a reference).
    mutating func require(signatureOf name: [UInt8]) {
        extend(UInt32(TPM2_CC_PolicySigned), name)
        octets = Self.hash(octets)
    }

    /// Shows the authorisation of the entity of that name (TPM2_PolicySecret, without a reference).
    mutating func require(secretOf name: [UInt8]) {
        extend(UInt32(TPM2_CC_PolicySecret), name)
        octets = Self.hash(octets)
    }

    private mutating func extend(_ command: UInt32, _ arguments: [UInt8]) {
        octets = Self.hash(octets + Self.bytes(command) + arguments)
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    private static func hash(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
}
