package import HardwareKeys
import Octets

/// Content of a `SealedSecret` of this kind of vault.
package struct SealedRecord: Hashable, Sendable {
    let vault: VaultName
    /// The parent under which it was sealed; it tells loss from damage.
    let parentName: [UInt8]
    /// Gate that the user has to pass before it is opened.
    let gate: UserGate?
    let blobs: KeyBlobs
}

extension SealedRecord {
    private static let envelope = RecordEnvelope("SGTS")

    /// Reads the bytes of a sealed secret.
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
        vault = VaultName(bytes: try reading.bytes(count: VaultName.byteCount))
        parentName = try reading.sizedBytes()
        let value = try reading.byte()
        gate = UserGate(rawValue: value)
        guard gate != nil || value == 0 else { throw .damaged }
        blobs = try reading.blobs()
        try reading.finish()
    }

    package var octets: [UInt8] { Self.envelope.wrap(body) }

    /// Serialised record without its envelope.
    package var body: [UInt8] {
        var writer = OctetWriter(capacity: 512)
        writer.write(vault.bytes)
        writer.writeSized(parentName)
        writer.writeUInt8(gate?.rawValue ?? 0)
        writer.write(blobs)
        return writer.bytes
    }
}
