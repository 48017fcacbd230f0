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
        counter = Counter(
            number: number, name: counterName, policy: policy,
            value: try reading.bytes(count: AuthorizationValue.byteLimit))
        deviceKey = try reading.blobs()
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
        return writer.bytes
    }
}
