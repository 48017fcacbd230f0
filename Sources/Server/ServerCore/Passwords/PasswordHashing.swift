import Crypto
import CryptoExtras
import Octets

extension PasswordRecord {
    /// Hashes a new password; `salt` has 32 random bytes.
    init(hashing password: [UInt8], salt: [UInt8], cost: PasswordHashCost) {
        precondition(salt.count == Self.byteCount, "a salt has 32 bytes")
        self.init(known: salt, cost: cost, hash: Self.derive(password, salt: salt, cost: cost))
    }

    /// Throws unless `password` is the one that was hashed.
    func requireMatch(_ password: [UInt8]) throws(ConstantTimeEquality.Difference) {
        try ConstantTimeEquality.require(Self.derive(password, salt: salt, cost: cost), equals: hash)
    }

    private static func derive(_ password: [UInt8], salt: [UInt8], cost: PasswordHashCost) -> [UInt8] {
        let derived = try? KDF.Scrypt.deriveKey(
            from: password, salt: salt, outputByteCount: byteCount, rounds: cost.rounds, blockSize: 8, parallelism: 1,
            maxMemory: 2 * 128 * 8 * cost.rounds)
        guard let derived else { preconditionFailure("scrypt takes every cost that PasswordHashCost holds") }
        return derived.withUnsafeBytes { Array($0) }
    }
}
