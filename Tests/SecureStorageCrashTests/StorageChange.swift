import HardwareKeys
import SecureStorage
import TestSupport

/// Every way to change what is permanent; each brings the storage to the state of a number.
enum StorageChange: CaseIterable, Sendable {
    /// The first write, which makes the file.
    case create
    /// Everything removed and put anew, in a record of the log.
    case write
    /// The entries that differ put and removed, in a record of the log.
    case edit
    /// A new base in place of base and log.
    case compact
    case update
    /// New keys under another protection, or the same.
    case rewrap
    /// New keys because the old ones were used too often.
    case rotate

    /// Whether there is a file before.
    var startsFromNothing: Bool { self == .create }

    /// The stage on which the change happens.
    func stage(on disk: any FileSystem) -> StorageStage {
        StorageStage(
            on: disk, rotationThreshold: self == .rotate ? 1 : 1 << 30, logByteLimit: self == .compact ? 0 : nil)
    }

    /// Puts the state into memory.
    func prepare(_ number: Int, in storage: SecureStorage) throws(SecureStorageError) {
        switch self {
        case .update: return
        case .edit: try NumberedContent(number).edit(storage)
        case .create, .write, .compact, .rewrap, .rotate: try NumberedContent(number).put(into: storage)
        }
    }

    /// Makes it permanent; the call may be made again when it failed.
    func commit(_ number: Int, in storage: SecureStorage) async throws(SecureStorageError) {
        switch self {
        case .create, .write, .edit, .compact, .rotate: try await storage.write()
        case .rewrap: try await storage.write(fingerprint: StorageStage.fingerprint, protection: .none)
        case .update:
            try await storage.update { draft throws(SecureStorageError) in
                draft.clear()
                for (name, value) in NumberedContent(number).entries {
                    switch value {
                    case .string(let text): try draft.putString(text, forKey: name)
                    case .bytes(let bytes): try draft.putBytes(bytes, forKey: name)
                    }
                }
            }
        }
    }
}
