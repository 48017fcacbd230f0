import Octets

/// What the ledger knows of the last commit of one storage.
struct LedgerEntry: Hashable {
    let storageID: [UInt8]
    /// 0 when the first commit was announced and has not been noted.
    let generation: UInt64
    /// HMAC of the file, or zeros.
    let authenticator: [UInt8]

    /// What a layer was written as; zeros when it was not.
    init(_ layer: VolatileLayer) {
        storageID = layer.header.storageID
        generation = layer.header.generation
        authenticator = layer.authenticator ?? [UInt8](repeating: 0, count: StoreFile.authenticatorByteCount)
    }

    /// Reads an entry; nil unless it has the right size.
    init?(octets: [UInt8]) {
        var reader = OctetReader(octets)
        guard let storageID = try? reader.read(count: StoreFileHeader.storageIDByteCount),
            let generation = try? reader.readUInt64LittleEndian(),
            let authenticator = try? reader.read(count: StoreFile.authenticatorByteCount), reader.isAtEnd
        else { return nil }
        self.storageID = Array(storageID)
        self.generation = generation
        self.authenticator = Array(authenticator)
    }

    var octets: [UInt8] {
        var writer = OctetWriter()
        writer.write(storageID)
        writer.writeUInt64LittleEndian(generation)
        writer.write(authenticator)
        return writer.bytes
    }
}
