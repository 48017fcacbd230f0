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

    /// The file, open and taken apart; nil when there is none.
    ///
    /// Throws ``SecureStorage/SecureStorageError/limitExceeded`` for one of more than `limit` bytes, of which nothing
    /// is read.
    func read(atMost limit: Int) throws(SecureStorageError) -> StoreFile? {
        let opened: any ReadableFile
        do {
            opened = try file.open()
        } catch .absent {
            return nil
        } catch {
            throw SecureStorageError(error)
        }
        guard opened.byteCount <= limit else { throw .limitExceeded }
        return try StoreFile(reading: opened)
    }

    /// Header and trailer of the file, with its length; nil when there is none.
    func readEnds() throws(SecureStorageError) -> FileEnds? {
        do {
            return try file.ends(first: StoreFileHeader.byteCount, last: StoreFile.endByteCount)
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

    /// Replaces the file, and gives the new one open for reading.
    func replace(with bytes: [UInt8]) throws(SecureStorageError) -> any ReadableFile {
        do {
            return try file.replaceAndOpen(with: bytes)
        } catch {
            throw SecureStorageError(error)
        }
    }

    /// Writes a record behind the file and waits for the disk; false when its receipt could not be written.
    func append(_ bytes: [UInt8], _ receipt: LogReceipt) throws(SecureStorageError) -> Bool {
        do {
            return try file.append(bytes, receipt: receipt.octets)
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
