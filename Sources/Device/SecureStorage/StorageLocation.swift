import HardwareKeys

/// The files of one storage.
struct StorageLocation: Sendable {
    let fileSystem: any FileSystem
    let directory: String
    let name: EntryName

    private var file: AtomicFile { AtomicFile(named: name.text + ".sst", in: directory, of: fileSystem) }

    /// Whether there is a file; one that cannot be looked at counts as there.
    var isPresent: Bool {
        do {
            _ = try file.read(atMost: 0)
            return true
        } catch {
            return error != .absent
        }
    }

    /// The content of the file; nil when there is none.
    func read(atMost limit: Int) throws(SecureStorageError) -> [UInt8]? {
        do {
            return try file.read(atMost: limit)
        } catch .absent {
            return nil
        } catch {
            throw SecureStorageError(error)
        }
    }

    /// Header and trailer of the file, with its length; nil when there is none.
    func readEnds() throws(SecureStorageError) -> FileEnds? {
        do {
            return try file.ends(first: StoreFileHeader.byteCount, last: StoreFile.trailerByteCount)
        } catch .absent {
            return nil
        } catch {
            throw SecureStorageError(error)
        }
    }

    /// Makes the directory if it is missing, and demands that it is private.
    func makeDirectory() throws(SecureStorageError) {
        do {
            try fileSystem.makeDirectory(directory)
        } catch {
            throw SecureStorageError(error)
        }
    }

    /// Takes the lock of the storage; its file is never deleted.
    func lock() async throws(SecureStorageError) -> FileLock {
        do {
            return try await fileSystem.lock(directory + "/" + name.text + ".lock")
        } catch {
            throw SecureStorageError(error)
        }
    }

    func replace(with bytes: [UInt8]) throws(SecureStorageError) {
        do {
            try file.replace(with: bytes)
        } catch {
            throw SecureStorageError(error)
        }
    }

    func remove() throws(SecureStorageError) {
        do {
            try file.remove()
        } catch {
            throw SecureStorageError(error)
        }
    }
}
