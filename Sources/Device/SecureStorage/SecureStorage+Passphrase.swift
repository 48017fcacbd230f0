public import HardwareKeys
import Octets

extension SecureStorage {
    /// Passphrase of a storage; wiped at the end of its lifetime.
    ///
    /// It has no description and no coding.
    public final class Passphrase: Sendable {
        private let octets: SecretOctets

        /// Takes a copy of the bytes; wiping the source is the caller's business.
        public init(copying bytes: some Collection<UInt8>) { octets = SecretOctets(copying: bytes) }

        /// Lends the bytes for the length of `body`; the pointer must not leave it.
        ///
        /// Throws what `body` throws.
        public func withUnsafeBytes<Result, Failure: Error>(
            _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            try octets.withUnsafeBytes(body)
        }
    }
}

extension SecureStorage {
    /// Passphrase-based key derivation function and its cost.
    ///
    /// The file records both. Costs are checked before memory is taken for them: at least what ``standard`` guards
    /// against (scrypt N = 2^14, PBKDF2 210,000 rounds, Argon2id 7 MiB), at most 256 MiB and a few seconds.
    @nonexhaustive
    public enum KeyDerivation: Hashable, Sendable {
        /// scrypt (RFC 7914): N, r, p.
        case scrypt(rounds: UInt32, blockSize: UInt32, parallelism: UInt32)
        /// Argon2id (RFC 9106); needs ``Configuration/argon2``.
        case argon2id(memoryKibibytes: UInt32, passes: UInt32, lanes: UInt32)
        /// PBKDF2 with HMAC-SHA-512 (RFC 8018).
        case pbkdf2SHA512(rounds: UInt32)

        /// scrypt with N = 2^15, r = 8, p = 3: 32 MiB and about a quarter of a second.
        public static let standard = KeyDerivation.scrypt(rounds: 1 << 15, blockSize: 8, parallelism: 3)
    }

    /// The Argon2id function of a library that the application adds; the product `Argon2KeyDerivation` has one.
    public protocol Argon2Function: Sendable {
        /// Derives 32 bytes with Argon2id, version 0x13; nil when there is no memory for it.
        ///
        /// `salt` has 32 bytes; the cost has been checked.
        func argon2id(
            of passphrase: Passphrase, salt: [UInt8], memoryKibibytes: UInt32, passes: UInt32, lanes: UInt32
        ) -> VaultSecret?
    }
}

extension SecureStorage.KeyDerivation: CustomStringConvertible {
    /// Name of the function, with its cost in parentheses.
    public var description: String {
        switch self {
        case .scrypt(let rounds, let blockSize, let parallelism):
            "scrypt(rounds: \(rounds), blockSize: \(blockSize), parallelism: \(parallelism))"
        case .argon2id(let memory, let passes, let lanes):
            "argon2id(memoryKibibytes: \(memory), passes: \(passes), lanes: \(lanes))"
        case .pbkdf2SHA512(let rounds): "pbkdf2SHA512(rounds: \(rounds))"
        }
    }
}
