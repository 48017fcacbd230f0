import CTSS2
import Glibc
import HardwareKeys
import Octets

/// The value by which a TPM knows who may use an entity; it goes into keys of message authentication, never over the
/// bus in clear.
final class AuthorizationValue: Sendable {
    /// The most bytes a value may have: what SHA-256 gives.
    static let byteLimit = 32

    private let octets: SecretOctets

    /// Takes a value of the owner's choice; nil when it has more than ``byteLimit`` bytes.
    init?(copying bytes: some Collection<UInt8>) {
        guard bytes.count <= Self.byteLimit else { return nil }
        octets = SecretOctets(copying: bytes)
    }

    /// Derives the value of one key from the secret that its user shows (HKDF-SHA256, RFC 5869).
    init(from secret: VaultSecret, for reference: KeyReference) {
        let derived = secret.withUnsafeBytes { bytes in
            SecretHash.hkdf(from: bytes, info: Array("signet tpm authorization v1 ".utf8) + reference.bytes)
        }
        octets = SecretOctets(count: Self.byteLimit) { memory in
            derived.withUnsafeBytes { memory.copyMemory(from: $0) }
            // A TPM takes zeros off the end before it compares.
            memory[Self.byteLimit - 1] |= 1
        }
    }

    /// Lends the value in the form the library takes, for the length of `body`.
    func withBuffer<Result, Failure: Error>(
        _ body: (UnsafePointer<TPM2B_AUTH>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let buffer = UnsafeMutablePointer<TPM2B_AUTH>.allocate(capacity: 1)
        buffer.initialize(to: TPM2B_AUTH())
        defer {
            explicit_bzero(buffer, MemoryLayout<TPM2B_AUTH>.size)
            buffer.deallocate()
        }
        octets.withUnsafeBytes { buffer.pointee.fill($0) }
        return try body(buffer)
    }
}
