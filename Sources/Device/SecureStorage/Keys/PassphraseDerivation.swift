import Crypto
import CryptoExtras
import HardwareKeys

/// Derives the part of a key that comes from a passphrase, at a cost that is checked before memory is taken.
struct PassphraseDerivation: Sendable {
    /// The least that a passphrase may cost.
    struct Floor: Hashable, Sendable {
        let scryptRounds: UInt32
        let pbkdf2Rounds: UInt32
        let argon2Kibibytes: UInt32

        static let production = Floor(scryptRounds: 1 << 14, pbkdf2Rounds: 210_000, argon2Kibibytes: 7_168)
    }

    private static let keyByteCount = 32
    /// Bytes of memory, and of work for each pass over it.
    private static let memoryLimit: UInt64 = 256 << 20
    private static let workLimit: UInt64 = 1 << 30
    private static let roundLimit: UInt32 = 10_000_000

    let argon2: (any SecureStorage.Argon2Function)?
    let floor: Floor

    /// Derives 32 bytes.
    ///
    /// Throws ``SecureStorage/SecureStorageError/unreadableStorage(_:)`` for a cost outside the bounds and for Argon2id
    /// without a library.
    func key(
        from passphrase: SecureStorage.Passphrase, salt: [UInt8], _ derivation: SecureStorage.KeyDerivation
    ) throws(SecureStorageError) -> VaultSecret {
        guard isAcceptable(derivation) else { throw .unreadableStorage(.unacceptableCost) }
        let secret: VaultSecret?
        switch derivation {
        case .argon2id(let memory, let passes, let lanes):
            guard let argon2 else { throw .unreadableStorage(.argon2Missing) }
            secret = argon2.argon2id(
                of: passphrase, salt: salt, memoryKibibytes: memory, passes: passes, lanes: lanes)
        case .scrypt(let rounds, let blockSize, let parallelism):
            secret = Self.secret {
                try passphrase.withUnsafeBytes {
                    try KDF.Scrypt.deriveKey(
                        from: $0, salt: salt, outputByteCount: Self.keyByteCount, rounds: Int(rounds),
                        blockSize: Int(blockSize), parallelism: Int(parallelism), maxMemory: Int(Self.memoryLimit) * 2)
                }
            }
        case .pbkdf2SHA512(let rounds):
            secret = Self.secret {
                try passphrase.withUnsafeBytes {
                    try KDF.Insecure.PBKDF2.deriveKey(
                        from: $0, salt: salt, using: .sha512, outputByteCount: Self.keyByteCount,
                        unsafeUncheckedRounds: Int(rounds))
                }
            }
        }
        guard let secret else { throw .ioFailure(code: Self.outOfMemory) }
        return secret
    }

    /// ENOMEM.
    private static let outOfMemory: Int32 = 12

    private static func secret(_ derive: () throws -> SymmetricKey) -> VaultSecret? {
        defer { FreedMemory.wipe(.derivedKey) }
        guard let key = try? derive() else { return nil }
        return key.withUnsafeBytes { VaultSecret(copying: $0) }
    }

    private func isAcceptable(_ derivation: SecureStorage.KeyDerivation) -> Bool {
        switch derivation {
        case .scrypt(let rounds, let blockSize, let parallelism):
            guard rounds >= floor.scryptRounds, rounds & (rounds - 1) == 0, (1...32).contains(blockSize),
                (1...16).contains(parallelism)
            else { return false }
            let memory = 128 * UInt64(rounds) * UInt64(blockSize)
            return memory <= Self.memoryLimit && memory * UInt64(parallelism) <= Self.workLimit
        case .argon2id(let memory, let passes, let lanes):
            guard memory >= floor.argon2Kibibytes, (1...16).contains(passes), (1...16).contains(lanes) else {
                return false
            }
            let byteCount = UInt64(memory) << 10
            return memory >= 8 * lanes && byteCount <= Self.memoryLimit
                && byteCount * UInt64(passes) <= Self.workLimit
        case .pbkdf2SHA512(let rounds):
            return (floor.pbkdf2Rounds...Self.roundLimit).contains(rounds)
        }
    }
}
