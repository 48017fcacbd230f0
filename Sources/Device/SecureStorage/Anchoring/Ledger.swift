import Octets

/// The ledger as it was read under its lock, with the count of the hardware counter.
struct LedgerPage {
    var layer: VolatileLayer
    var count: UInt64

    /// Last noted commit of a storage; nil for a storage that is not in the ledger.
    ///
    /// A ledger that cannot be read there throws: a storage that is unknown may be adopted.
    func entry(of name: EntryName) throws(SecureStorageError) -> LedgerEntry? {
        var isNamed = false
        for place in Self.places(of: name) where try layer.contains(place) {
            isNamed = true
            do throws(SecureStorageError) {
                if let entry = LedgerEntry(octets: try layer.reading(place, at: .zero).bytes()) { return entry }
            } catch {
                guard case .entryDamaged = error else { throw error }
            }
        }
        guard !isNamed else { throw .storageCorrupted }
        return nil
    }

    /// Each storage stands in the ledger twice, so that damage of one entry does not end it; one whose name has the
    /// greatest length stands there once.
    private static func places(of name: EntryName) -> [EntryName] {
        [name] + [EntryName(octets: Array(".".utf8) + name.text.utf8)].compactMap { $0 }
    }

    /// Entry of a ledger that was begun after the counter had counted: an earlier one is gone, so nothing is adopted.
    private static let replacement = EntryName(reserved: "..replacement")

    mutating func markReplacement(_ environment: StorageEnvironment) throws(SecureStorageError) {
        try note(LedgerEntry(layer), of: Self.replacement, environment)
    }

    mutating func note(
        _ entry: LedgerEntry, of name: EntryName, _ environment: StorageEnvironment
    ) throws(SecureStorageError) {
        do {
            try entry.octets.withUnsafeBytes { octets in
                for place in Self.places(of: name) {
                    try layer.put(
                        octets, as: .bytes, named: place, nonce: environment.nonce(), limits: SecureStorage.Limits())
                }
            }
        } catch let error as SecureStorageError {
            throw error
        } catch {
            throw .limitExceeded
        }
    }

    /// Whether there was anything to remove.
    mutating func remove(_ name: EntryName) throws(SecureStorageError) -> Bool {
        let places = Self.places(of: name)
        for place in places where try layer.contains(place) { try layer.remove(place) }
        return layer.isDirty
    }

    /// Compares a commit of a storage with what is known; true when it is one ahead or adopted, which the caller notes.
    ///
    /// Only a file from before the anchor was switched on is in no ledger; but so is every file when an attacker has
    /// removed the ledger, so it is taken only when the application says that it is one (`isAdopting`), and not by a
    /// ledger that replaces another.
    /// Throws ``SecureStorage/SecureStorageError/rollbackDetected`` for an older or another commit.
    func isAhead(
        _ layer: VolatileLayer, named name: EntryName, isAdopting: Bool
    ) throws(SecureStorageError) -> Bool {
        let found = LedgerEntry(layer)
        guard let known = try entry(of: name) else {
            guard isAdopting, layer.header.anchor == 0, try !self.layer.contains(Self.replacement) else {
                throw .rollbackDetected
            }
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
