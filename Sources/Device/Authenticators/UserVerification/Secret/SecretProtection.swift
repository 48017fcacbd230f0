import HardwareKeys
import Octets

/// Derivation cost of a PIN or password: the cost of new records and the bounds for stored ones.
package struct SecretProtection: Hashable, Sendable {
    /// Production cost: N = 2^15, r = 8, p = 1, and nothing under N = 2^14 with r = 8.
    ///
    /// About a tenth of a second on a present phone, well under the half second that users notice; the cost is fixed
    /// and not measured on each device, so that a slow moment of a device does not weaken its records.
    package static let production = SecretProtection(cost: .production, leastRounds: ScryptCost.leastRounds)

    /// The cost of new records.
    package let cost: ScryptCost
    private let leastRounds: Int

    /// Chooses another cost, and the least N of stored records; only tests do, to be fast.
    package init(cost: ScryptCost, leastRounds: Int) {
        self.cost = cost
        self.leastRounds = leastRounds
    }

    /// Throws ``ScryptCostError/tooCheap`` for a stored cost that could be searched too fast: with a lower N, or with so
    /// small an r that it takes less memory.
    package func require(_ stored: ScryptCost) throws(ScryptCostError) {
        guard stored.rounds >= leastRounds, stored.rounds * stored.blockSize >= leastRounds * cost.blockSize else {
            throw .tooCheap
        }
    }

    /// Whether a record of this cost is made anew after its secret was right: when it takes less memory (N r) or less
    /// work (N r p) than new ones.
    func outgrows(_ stored: ScryptCost) -> Bool {
        let (memory, newMemory) = (stored.rounds * stored.blockSize, cost.rounds * cost.blockSize)
        return memory < newMemory || memory * stored.parallelism < newMemory * cost.parallelism
    }
}

/// Stored parameters of a key behind a PIN or password: key derivation and cool-down state.
struct SecretLock: Hashable, Sendable {
    /// Derivation parameters that lead from the user's entry to the secret of the key.
    var record: SecretRecord
    var lockout: LockoutState
}

/// Stored derivation parameters of a PIN or password, which lead to the secret of its key.
///
/// There is no verifier: only the vault that holds the key knows whether an entry is right.
struct SecretRecord: Hashable, Sendable {
    static let saltByteCount = 32

    let salt: [UInt8]
    let cost: ScryptCost
    /// XOR mask over the derived bytes, so that a record of another cost leads to the same secret.
    ///
    /// Zeros at first. Alone it says nothing about what the user typed: for every text there is a secret that fits. Beside
    /// the record that it replaced it tells right texts from wrong ones without the vault; both lie sealed in the store,
    /// and a record of a key in a chip is never replaced.
    let mask: [UInt8]
    /// Differs before and after a change, so that no record of the old PIN or password can replace it.
    private(set) var revision: UInt32

    init(
        salt: [UInt8], cost: ScryptCost, mask: [UInt8] = [UInt8](repeating: 0, count: VaultSecret.byteCount),
        revision: UInt32 = 0
    ) {
        self.salt = salt
        self.cost = cost
        self.mask = mask
        self.revision = revision
    }

    /// Marks that the PIN or password is about to change.
    mutating func revise() { revision &+= 1 }

    static func fresh(_ cost: ScryptCost) -> SecretRecord {
        SecretRecord(salt: FreshOctets.make(count: saltByteCount), cost: cost)
    }
}

extension SecretRecord {
    /// Appends salt, N (as its logarithm), r, p, mask and revision.
    func write(to writer: inout OctetWriter) {
        writer.write(salt)
        writer.writeUInt8(UInt8(cost.rounds.trailingZeroBitCount))
        writer.writeUInt32LittleEndian(UInt32(cost.blockSize))
        writer.writeUInt32LittleEndian(UInt32(cost.parallelism))
        writer.write(mask)
        writer.writeUInt32LittleEndian(revision)
    }

    /// Reads what ``write(to:)`` appended; a cost that cannot be computed is refused here.
    init(from reader: inout OctetReader) throws {
        let salt = Array(try reader.read(count: Self.saltByteCount))
        let exponent = try reader.readUInt8()
        let blockSize = try reader.readUInt32LittleEndian()
        let parallelism = try reader.readUInt32LittleEndian()
        guard exponent < 63 else { throw ScryptCostError.tooExpensive }
        let cost = try ScryptCost(
            rounds: 1 << Int(exponent), blockSize: Int(blockSize), parallelism: Int(parallelism))
        let mask = Array(try reader.read(count: VaultSecret.byteCount))
        self.init(salt: salt, cost: cost, mask: mask, revision: try reader.readUInt32LittleEndian())
    }
}
