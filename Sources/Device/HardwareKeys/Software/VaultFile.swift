import Octets

/// A small file of the software vault: four letters, a version, then the payload.
struct VaultFile: Sendable {
    private static let byteLimit = 4_096

    private let file: AtomicFile
    /// Four letters that say what the file is.
    private let magic: [UInt8]
    /// The one form that is read and written.
    private let version: UInt8

    init(_ file: AtomicFile, magic: StaticString, version: UInt8 = 1) {
        self.file = file
        self.version = version
        self.magic = magic.withUTF8Buffer { Array($0) }
    }

    /// Reads the bytes after magic and version; nil when there is no file.
    func readPayload() throws(KeyVaultError) -> [UInt8]? {
        guard let bytes = try read() else { return nil }
        return Array(try payload(of: bytes))
    }

    /// Reads a secret of ``VaultSecret/byteCount`` bytes after magic and version; nil when there is no file.
    ///
    /// The buffers used on the way are wiped.
    func readSecret() throws(KeyVaultError) -> VaultSecret? {
        guard var bytes = try read() else { return nil }
        defer { SecretOctets.wipe(&bytes) }
        guard let secret = VaultSecret(copying: try payload(of: bytes)) else { throw .damaged }
        return secret
    }

    private func read() throws(KeyVaultError) -> [UInt8]? {
        do {
            return try file.read(atMost: Self.byteLimit)
        } catch .absent {
            return nil
        } catch {
            throw KeyVaultError(error)
        }
    }

    private func payload(of bytes: [UInt8]) throws(KeyVaultError) -> ArraySlice<UInt8> {
        guard bytes.count > magic.count, bytes.starts(with: magic) else { throw .damaged }
        guard bytes[magic.count] == version else {
            throw bytes[magic.count] > version ? .newerFormat(version: bytes[magic.count]) : .damaged
        }
        return bytes.dropFirst(magic.count + 1)
    }

    /// Whether there is a file of that name, readable or not.
    func exists() throws(KeyVaultError) -> Bool {
        do {
            _ = try file.read(atMost: Self.byteLimit)
            return true
        } catch .absent {
            return false
        } catch .tooLarge {
            return true
        } catch {
            throw KeyVaultError(error)
        }
    }

    func write(payload: [UInt8]) throws(KeyVaultError) {
        do {
            try file.replace(with: magic + [version] + payload)
        } catch {
            throw KeyVaultError(error)
        }
    }

    /// Writes a secret; what was laid out on the way is wiped.
    func write(secret: VaultSecret) throws(KeyVaultError) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(magic.count + 1 + VaultSecret.byteCount)
        defer { SecretOctets.wipe(&bytes) }
        bytes += magic
        bytes.append(version)
        secret.withUnsafeBytes { bytes.append(contentsOf: $0) }
        do {
            try file.replace(with: bytes)
        } catch {
            throw KeyVaultError(error)
        }
    }

    func remove() throws(KeyVaultError) {
        do {
            try file.remove()
        } catch {
            throw KeyVaultError(error)
        }
    }
}
