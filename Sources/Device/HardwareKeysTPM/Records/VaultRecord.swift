import CTSS2
import Crypto
package import HardwareKeys
import Octets

/// Stored identity of a vault and of the chip it was made with.
package struct VaultRecord: Hashable, Sendable {
    /// The counter that tells files from older copies.
    struct Counter: Hashable, Sendable {
        let number: UInt32
        let name: [UInt8]
        /// Policy that marks the index as ours; no command can meet it.
        let policy: PolicyDigest
        /// Authorisation value of an increment, so that others cannot run the counter up.
        let value: [UInt8]
        /// Count with which the counter began; nil in records of before it was kept.
        var first: UInt64?

        /// Mark on the device key that vouches for name and first count of the counter; empty without the count.
        ///
        /// The chip loads the key with this mark only. It is put where a key has its policy, which no command asks for.
        var mark: [UInt8] {
            guard let first else { return [] }
            var writer = OctetWriter()
            writer.write(Array("signet counter v1 ".utf8) + name)
            writer.writeCount(first)
            return Array(SHA256.hash(data: writer.bytes))
        }

        /// Work left to do in the chip when the vault is destroyed.
        var removal: JournalEntry { JournalEntry(purpose: .vault, number: number, policy: policy) }
    }

    let name: VaultName
    /// The parent of all keys; a chip without it is another chip, or was cleared.
    let parentName: [UInt8]
    package var countsAttempts: Bool
    let counter: Counter
    /// The key by which secrets of the device are made.
    let deviceKey: KeyBlobs
}

extension VaultRecord {
    private static let envelope = RecordEnvelope("SGTV")

    /// Reads the file of a vault.
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
        name = VaultName(bytes: try reading.bytes(count: VaultName.byteCount))
        parentName = try reading.sizedBytes()
        countsAttempts = try reading.flag()
        let number = try reading.indexNumber()
        let counterName = try reading.sizedBytes()
        let policy = try reading.digest()
        var counter = Counter(
            number: number, name: counterName, policy: policy,
            value: try reading.bytes(count: AuthorizationValue.byteLimit))
        deviceKey = try reading.blobs()
        let mark = try deviceKey.decodedPublicArea().publicArea.authPolicy.octets
        if !mark.isEmpty { counter.first = try reading.count() }
        guard counter.mark == mark else { throw .damaged }
        self.counter = counter
        try reading.finish()
    }

    package var octets: [UInt8] { Self.envelope.wrap(body) }

    /// The file as another version of this library would mark it, for tests.
    package func octets(inVersion version: UInt8) -> [UInt8] { Self.envelope.wrap(body, version: version) }

    /// Serialised record without its envelope.
    package var body: [UInt8] {
        var writer = OctetWriter(capacity: 512)
        writer.write(name.bytes)
        writer.writeSized(parentName)
        writer.writeUInt8(countsAttempts ? 1 : 0)
        writer.writeUInt32LittleEndian(counter.number)
        writer.writeSized(counter.name)
        writer.write(counter.policy.octets)
        writer.write(counter.value)
        writer.write(deviceKey)
        if let first = counter.first { writer.writeCount(first) }
        return writer.bytes
    }
}

extension OctetWriter {
    fileprivate mutating func writeCount(_ count: UInt64) {
        writeUInt32LittleEndian(UInt32(truncatingIfNeeded: count))
        writeUInt32LittleEndian(UInt32(truncatingIfNeeded: count >> 32))
    }
}
