import Octets

/// The ledger as it was read under its lock, with the count of the hardware counter.
struct LedgerPage {
    var layer: VolatileLayer
    var count: UInt64

    /// Last noted commit of a storage; nil for a storage that is not in the ledger.
    ///
    /// A ledger that cannot be read there throws: a storage that is unknown may be adopted.
    func entry(of name: EntryName) throws(SecureStorageError) -> LedgerEntry? {
        guard try layer.contains(name) else { return nil }
        guard let entry = LedgerEntry(octets: try layer.reading(name, at: .zero).bytes()) else {
            throw .storageCorrupted
        }
        return entry
    }

    mutating func note(
        _ entry: LedgerEntry, of name: EntryName, _ environment: StorageEnvironment
    ) throws(SecureStorageError) {
        do {
            try entry.octets.withUnsafeBytes {
                try layer.put($0, as: .bytes, named: name, nonce: environment.nonce(), limits: SecureStorage.Limits())
            }
        } catch let error as SecureStorageError {
            throw error
        } catch {
            throw .limitExceeded
        }
    }

    mutating func remove(_ name: EntryName) throws(SecureStorageError) { try layer.remove(name) }

    /// Compares a commit of a storage with what is known; true when it is one ahead or adopted, which the caller notes.
    ///
    /// Only a file from before the anchor was switched on is in no ledger; but so is every file when an attacker has
    /// removed the ledger, so it is taken only when the application says that it is one (`isAdopting`).
    /// Throws ``SecureStorage/SecureStorageError/rollbackDetected`` for an older or another commit.
    func isAhead(
        _ layer: VolatileLayer, named name: EntryName, isAdopting: Bool
    ) throws(SecureStorageError) -> Bool {
        let found = LedgerEntry(layer)
        guard let known = try entry(of: name) else {
            guard isAdopting, layer.header.anchor == 0 else { throw .rollbackDetected }
            return true
        }
        guard found.storageID == known.storageID, found.generation >= known.generation else {
            throw .rollbackDetected
        }
        switch found.generation - known.generation {
        case 0 where found == known: return false
        case 0: throw .rollbackDetected
        case 1: return true
        default: throw .storageCorrupted
        }
    }
}

/// Ledger entry for the last commit of one storage.
struct LedgerEntry: Hashable {
    let storageID: [UInt8]
    /// 0 when the first commit was announced and has not been noted.
    let generation: UInt64
    /// HMAC of the file, or zeros.
    let authenticator: [UInt8]

    /// Entry for the file that a layer was written as; the authenticator is zeros when the layer was not written.
    init(_ layer: VolatileLayer) {
        storageID = layer.header.storageID
        generation = layer.header.generation
        authenticator = layer.authenticator ?? [UInt8](repeating: 0, count: StoreFile.authenticatorByteCount)
    }

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
