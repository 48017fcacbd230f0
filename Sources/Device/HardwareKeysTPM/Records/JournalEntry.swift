package import HardwareKeys
import Octets

/// Write-ahead entry for an index that is about to be made or removed; it leads to what a crash leaves behind.
package struct JournalEntry: Hashable, Sendable {
    /// Purpose of the index.
    package enum Purpose: Hashable, Sendable {
        /// A new vault: its counter, or the try whether the chip can count attempts.
        case vault
        case making(KeyReference)
        case deleting(KeyReference)
    }

    package let purpose: Purpose
    let number: UInt32
    /// Policy that marks an index at that number as ours.
    let policy: PolicyDigest
}

extension JournalEntry {
    private static let envelope = RecordEnvelope("SGTJ")

    /// Reads the journal.
    ///
    /// Throws `KeyVaultError.damaged` and `KeyVaultError.newerFormat`.
    package init(octets: [UInt8]) throws(KeyVaultError) {
        try self.init(body: try Self.envelope.unwrap(octets))
    }

    /// Reads what is inside the envelope.
    ///
    /// Throws `KeyVaultError.damaged`.
    package init(body: [UInt8]) throws(KeyVaultError) {
        var reading = RecordReading(body)
        purpose =
            switch try reading.byte() {
            case 0: .vault
            case 1: .making(try reading.reference())
            case 2: .deleting(try reading.reference())
            default: throw .damaged
            }
        number = try reading.indexNumber()
        policy = try reading.digest()
        try reading.finish()
    }

    package var octets: [UInt8] { Self.envelope.wrap(body) }

    /// Serialised entry without its envelope.
    package var body: [UInt8] {
        var writer = OctetWriter(capacity: 128)
        switch purpose {
        case .vault: writer.writeUInt8(0)
        case .making(let reference): writer.write([1] + reference.bytes)
        case .deleting(let reference): writer.write([2] + reference.bytes)
        }
        writer.writeUInt32LittleEndian(number)
        writer.write(policy.octets)
        return writer.bytes
    }
}
