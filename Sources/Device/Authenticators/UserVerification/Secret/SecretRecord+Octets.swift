import HardwareKeys
import Octets

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
