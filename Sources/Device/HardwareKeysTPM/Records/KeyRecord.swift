package import HardwareKeys
import Octets

/// One key as its file holds it.
package struct KeyRecord: Hashable, Sendable {
    let vault: VaultName
    package let requirements: KeyRequirements
    var blobs: KeyBlobs
    /// Index of the chip that counts its wrong secrets; nil where they are not counted.
    let index: AttemptIndex?
}

extension KeyRecord {
    /// Number of bytes of what only the chip can read; tests change them.
    package var privateAreaByteCount: Int { blobs.privateArea.count }

    /// The record with one bit changed in what only the chip can read, for tests.
    package func withChangedPrivateArea(at position: Int) throws(KeyVaultError) -> KeyRecord {
        var area = blobs.privateArea
        area[position] ^= 1
        var changed = self
        changed.blobs = try KeyBlobs(publicArea: blobs.publicArea, privateArea: area)
        return changed
    }
}

extension KeyRecord {
    /// The envelope of a key's file; it holds for the name of the key too, so that files cannot change places
    /// unnoticed.
    private static func envelope(of reference: KeyReference) -> RecordEnvelope {
        RecordEnvelope("SGTK", context: reference.bytes)
    }

    /// Reads the file of a key.
    ///
    /// Throws `KeyVaultError.damaged` and `KeyVaultError.newerFormat`.
    package init(octets: [UInt8], of reference: KeyReference) throws(KeyVaultError) {
        try self.init(body: try Self.envelope(of: reference).unwrap(octets))
    }

    /// Reads what is inside the envelope.
    ///
    /// Throws `KeyVaultError.damaged`.
    package init(body: [UInt8]) throws(KeyVaultError) {
        var reading = RecordReading(body)
        vault = VaultName(bytes: try reading.bytes(count: VaultName.byteCount))
        guard let requirements = KeyRequirements(octets: try reading.bytes(count: KeyRequirements.byteCount)),
            requirements.algorithm == .p256
        else { throw .damaged }
        self.requirements = requirements
        blobs = try reading.blobs()
        index = try requirements.isCounted ? reading.attemptIndex() : nil
        try reading.finish()
    }

    package func octets(of reference: KeyReference) -> [UInt8] {
        Self.envelope(of: reference).wrap(body)
    }

    /// Serialised record without its envelope.
    package var body: [UInt8] {
        var writer = OctetWriter(capacity: 1_024)
        writer.write(vault.bytes)
        writer.write(requirements.octets)
        writer.write(blobs)
        if let index { writer.write(index) }
        return writer.bytes
    }
}

extension KeyRequirements {
    /// Whether the chip counts wrong secrets.
    var isCounted: Bool {
        if case .countedSecret = authorization { true } else { false }
    }
}

extension RecordReading {
    fileprivate mutating func attemptIndex() throws(KeyVaultError) -> AttemptIndex {
        let number = try indexNumber()
        let branches = AttemptPolicy(write: try digest(), change: try digest())
        let name = try sizedBytes()
        return AttemptIndex(number: number, policy: branches, name: name, changer: try blobs())
    }
}

extension OctetWriter {
    fileprivate mutating func write(_ index: AttemptIndex) {
        writeUInt32LittleEndian(index.number)
        write(index.policy.write.octets)
        write(index.policy.change.octets)
        writeSized(index.name)
        write(index.changer)
    }

    mutating func write(_ blobs: KeyBlobs) {
        writeSized(blobs.publicArea)
        writeSized(blobs.privateArea)
    }

    /// Bytes after their number (16 bits).
    mutating func writeSized(_ bytes: [UInt8]) {
        writeUInt16LittleEndian(UInt16(bytes.count))
        write(bytes)
    }
}
