package import HardwareKeys

/// Table in a directory that records the last commit of each anchored storage.
///
/// It is a storage itself, and the only one that carries the count of the hardware counter: the file says c + 1 while
/// the counter shows c, then the counter is advanced. An open accepts c, or c + 1 and finishes the commit.
struct RollbackLedger: Sendable {
    private let opener: StorageOpener
    private let anchor: any RollbackAnchor
    private let known: KnownKeys?

    private var location: StorageLocation { opener.location }

    /// The ledger that belongs to a storage; with known keys the vault is asked for the count only.
    ///
    /// Throws ``SecureStorage/SecureStorageError/configurationInvalid`` when the vault has no counter, and
    /// ``SecureStorage/SecureStorageError/secureHardwareUnavailable`` when there is no vault.
    init(
        beside storage: StorageLocation, _ configuration: SecureStorage.Configuration,
        _ environment: StorageEnvironment, known: KnownKeys? = nil
    ) throws(SecureStorageError) {
        guard let vault = configuration.vault else { throw .secureHardwareUnavailable }
        guard let anchor = vault.rollbackAnchor else { throw .configurationInvalid }
        self.anchor = anchor
        self.known = known
        var own = SecureStorage.Configuration(
            hardware: configuration.hardware, vault: vault, directory: storage.directory)
        own.allowsNetworkFileSystem = configuration.allowsNetworkFileSystem
        opener = StorageOpener(
            location: Self.location(beside: storage), configuration: own, environment: environment)
    }

    static func isPresent(beside storage: StorageLocation) -> Bool { location(beside: storage).isPresent }

    private static func location(beside storage: StorageLocation) -> StorageLocation {
        StorageLocation(
            fileSystem: storage.fileSystem, directory: storage.directory, name: EntryName(reserved: ".ledger"))
    }

    /// Takes the ledger's lock; it is held while an anchored file is read or written.
    func lock() async throws(SecureStorageError) -> FileLock { try await location.lock() }

    /// Reads the ledger, and finishes the commit that a crash cut off; the caller holds the lock.
    func page() async throws(SecureStorageError) -> LedgerPage {
        var count = try await Self.asking { () async throws(KeyVaultError) in try await anchor.value() }
        guard let file = try location.read(atMost: opener.configuration.limits.storageByteCount) else {
            var page = LedgerPage(layer: try await opener.newLayer(with: StorageCredentials()), count: count)
            let first = try await Self.asking { () async throws(KeyVaultError) in try await anchor.firstValue() }
            if let first, count > first { try page.markReplacement(opener.environment) }
            return page
        }
        let layer = try await layer(of: file)
        guard layer.header.anchor >= count else { throw .rollbackDetected }
        switch layer.header.anchor - count {
        case 0: break
        case 1: count = try await advance(from: count)
        default: throw .storageCorrupted
        }
        return LedgerPage(layer: layer, count: count)
    }

    /// Writes a page and advances the counter; the caller holds the lock.
    func commit(_ page: inout LedgerPage) async throws(SecureStorageError) {
        let writer = StoreFileWriter(environment: opener.environment, limits: opener.configuration.limits)
        let product = try writer.file(of: page.layer, anchoredAt: page.count + 1)
        let file = try location.replace(with: product.bytes)
        page.layer.adopt(product, in: file)
        page.count = try await advance(from: page.count)
    }

    /// Forgets a storage that is about to be deleted.
    func forget(_ name: EntryName) async throws(SecureStorageError) {
        let lock = try await lock()
        defer { lock.release() }
        var page = try await page()
        guard try page.remove(name) else { return }
        try await commit(&page)
    }

    private func layer(of file: StoreFile) async throws(SecureStorageError) -> VolatileLayer {
        let file = known.map { file.known(to: $0.keys) } ?? file
        guard let known, known.fit(file) else {
            return try await opener.layer(of: file, with: StorageCredentials(), nil)
        }
        return try opener.layer(of: file, with: known)
    }

    private func advance(from count: UInt64) async throws(SecureStorageError) -> UInt64 {
        let new = try await Self.asking { () async throws(KeyVaultError) in try await anchor.advance() }
        // Another program advances the counter without this ledger's lock: it shows nothing.
        guard new == count + 1 else { throw .configurationInvalid }
        return new
    }

    private static func asking<Result>(
        _ request: () async throws(KeyVaultError) -> Result
    ) async throws(SecureStorageError) -> Result {
        do {
            return try await request()
        } catch {
            throw SecureStorageError(error)
        }
    }
}

extension SecureStorage {
    /// Whether the ledger of the anchored storages is in their directory; one that cannot be looked at counts as there.
    package static func hasLedger(inDirectory directory: String, of fileSystem: any FileSystem) -> Bool {
        RollbackLedger.isPresent(
            beside: StorageLocation(fileSystem: fileSystem, directory: directory, name: EntryName(reserved: ".ledger")))
    }
}
