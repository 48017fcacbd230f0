package import HardwareKeys
import Octets
import SecureStorage
import UAF

/// A store in a secure storage: an entry for the device and one for each credential, names encrypted.
///
/// The vault of the device seals the key. One with a counter (a chip) also anchors the storage: an older copy of the
/// files is refused, wherever it comes from. With software keys nothing tells an older copy, and it brings the older
/// waits back, but no tries: those the vault counts.
package struct SecureStorageCredentialStore: CredentialStore {
    /// The name of the storage; its file is `credentials.sst`.
    private static let name = "credentials"

    private let storage: SecureStorage
    private let vault: any KeyVault
    private let fileSystem: any FileSystem
    private let directory: String

    private var keyMakingPath: String { directory + "/key-making.lock" }

    /// Opens the store in a private directory, or makes an empty one.
    ///
    /// A vault with a counter serves one directory: the table of commits lies beside the storage.
    package static func open(
        inDirectory directory: String, sealedBy vault: any KeyVault, of fileSystem: any FileSystem = PosixFileSystem()
    ) async throws(CredentialStoreError) -> SecureStorageCredentialStore {
        var configuration = SecureStorage.Configuration(
            hardware: vault.provider.isSecureHardware ? .required : .none, vault: vault, directory: directory)
        configuration.rollbackAnchor = vault.rollbackAnchor != nil
        var environment = StorageEnvironment()
        environment.fileSystem = fileSystem
        do {
            let storage = try await SecureStorage.createSecureStorage(
                fileName: name, fingerprint: nil, configuration: configuration, environment: environment)
            try await storage.update { draft throws(SecureStorageError) in
                guard draft.count == 0 else { return }
                try StoredCredentials(installation: .fresh()).write(to: &draft, inPlaceOf: nil)
            }
            return SecureStorageCredentialStore(
                storage: storage, vault: vault, fileSystem: fileSystem, directory: directory)
        } catch {
            throw await Self.error(error, inDirectory: directory, of: fileSystem, vault)
        }
    }

    /// Whether there is a store in a directory; one that cannot be looked at counts as there.
    package static func exists(inDirectory directory: String, of fileSystem: any FileSystem = PosixFileSystem()) -> Bool
    {
        do throws(FileSystemError) {
            _ = try fileSystem.read("\(directory)/\(name).sst", atMost: 0)
            return true
        } catch {
            return error != .absent
        }
    }

    package func contents() async throws(CredentialStoreError) -> StoredCredentials {
        do {
            try await storage.reload()
            return try StoredCredentials(readFrom: storage.snapshot())
        } catch {
            throw await Self.error(error, inDirectory: directory, of: fileSystem, vault)
        }
    }

    package func update<Value>(
        _ change: (inout StoredCredentials) -> Value
    ) async throws(CredentialStoreError) -> Value {
        do {
            return try await storage.updateOnCaller { draft throws(SecureStorageError) in
                let before = try StoredCredentials(readFrom: draft)
                var after = before
                let value = change(&after)
                try after.write(to: &draft, inPlaceOf: before)
                return value
            }
        } catch {
            throw await Self.error(error, inDirectory: directory, of: fileSystem, vault)
        }
    }

    package func requireWritable() async throws(CredentialStoreError) {
        do {
            try await storage.updateOnCaller { draft throws(SecureStorageError) in
                try StoredCredentials(readFrom: draft).writeDevice(to: &draft)
            }
        } catch {
            throw await Self.error(error, inDirectory: directory, of: fileSystem, vault)
        }
    }

    package func keyMaking() async throws(CredentialStoreError) -> FileLock {
        do {
            return try await fileSystem.lock(keyMakingPath)
        } catch {
            throw CredentialStoreError(error)
        }
    }

    package func tryKeyMaking() throws(CredentialStoreError) -> FileLock? {
        do {
            return try fileSystem.tryLock(keyMakingPath)
        } catch {
            throw CredentialStoreError(error)
        }
    }
}

/// Layout in a secure storage: the record of the device, twice, so that damage of one entry does not end the phone, and
/// one entry for each credential, named after its key.
///
/// An update writes the entries that changed; most change one credential.
extension StoredCredentials {
    private static let deviceNames = ["device", "device-copy"]

    /// Puts what differs from `before` into a draft; everything when there was nothing.
    func write(
        to draft: inout SecureStorage.Draft, inPlaceOf before: StoredCredentials?
    ) throws(SecureStorageError) {
        let isWhole = Self.deviceNames.allSatisfy { draft.isReadable($0) }
        if before?.deviceOctets != deviceOctets || !isWhole { try writeDevice(to: &draft) }
        let old = Dictionary((before?.entries ?? []).map { ($0.key, $0) }) { first, _ in first }
        for entry in entries where old[entry.key] != entry {
            var writer = OctetWriter()
            entry.write(to: &writer)
            try Self.put(writer.bytes, into: &draft, as: Self.name(of: entry.key))
        }
        let gone = Set(old.keys).union(before?.lost ?? []).subtracting(entries.map(\.key) + lost)
        for key in gone { try draft.remove(forKey: Self.name(of: key)) }
    }

    func writeDevice(to draft: inout SecureStorage.Draft) throws(SecureStorageError) {
        for name in Self.deviceNames { try Self.put(deviceOctets, into: &draft, as: name) }
    }

    /// Reads what ``write(to:inPlaceOf:)`` put; the storage authenticates the bytes, and nothing is taken on trust.
    ///
    /// A credential whose entry is damaged is ``lost``, the others are not. Throws `storageCorrupted` for everything
    /// that it does not write, and the errors of reading the storage.
    init(readFrom draft: borrowing SecureStorage.Draft) throws(SecureStorageError) {
        do {
            var device = try Self.device(of: draft)
            defer { SecretOctets.wipe(&device) }
            var (contents, keys) = try Self.readDevice(device)
            let hasCopy = try draft.contains(key: Self.deviceNames[1])
            guard draft.count == keys.count + (hasCopy ? 2 : 1) else { throw CredentialStoreError.damaged }
            for key in keys {
                do {
                    var octets = try draft.getBytes(forKey: Self.name(of: key))
                    defer { SecretOctets.wipe(&octets) }
                    var reader = OctetReader(octets)
                    let entry = try CredentialRecord(from: &reader)
                    try reader.finish()
                    guard entry.key == key else { throw CredentialStoreError.damaged }
                    contents.adopt(entry)
                } catch SecureStorageError.entryDamaged {
                    contents.lose(key)
                }
            }
            self = contents
        } catch let error as SecureStorageError where error != .unknownKey && error != .incorrectGetter {
            throw error
        } catch {
            throw .storageCorrupted
        }
    }

    private static func device(of draft: borrowing SecureStorage.Draft) throws(SecureStorageError) -> [UInt8] {
        do throws(SecureStorageError) {
            return try draft.getBytes(forKey: deviceNames[0])
        } catch {
            guard case .entryDamaged = error else { throw error }
            return try draft.getBytes(forKey: deviceNames[1])
        }
    }

    private static func name(of key: KeyReference) -> String {
        "credential-" + Hex.encode(key.bytes)
    }

    private static func put(
        _ octets: consuming [UInt8], into draft: inout SecureStorage.Draft, as name: String
    ) throws(SecureStorageError) {
        defer { SecretOctets.wipe(&octets) }
        try draft.putBytes(octets, forKey: name)
    }
}
