import ServerCore
import Synchronization

/// Remembers whether the database still takes what is written.
final class WriteHealth: StorageHealth {
    private let failure = Mutex<ServerPersistenceError?>(nil)
    private let news: StorageNews

    init(_ news: StorageNews) { self.news = news }

    var trouble: String? { failure.withLock { $0?.trouble } }

    /// A write failed; errors that only concern the statement itself say nothing about the database.
    func failed(_ error: ServerPersistenceError) {
        guard error.trouble != nil else { return }
        failure.withLock { $0 = error }
    }

    /// A write that always changes something has reached the disk.
    func probeSucceeded() {
        failure.withLock { $0 = nil }
        news.worked(.writing)
    }
}

extension ServerPersistenceError {
    /// Whether a write did not run because space or time was short.
    var isOverload: Bool {
        if case .server(let failure) = self { return failure.reason == .overloaded }
        return self == .overloaded
    }

    /// Cause of failing writes, in words; nil when the fault is not the database's.
    package var trouble: String? {
        if isOverload { return nil }
        if case .server(let failure) = self { return "the last write failed: " + failure.words }
        guard case .unavailable(let code) = self else { return nil }
        // The lowest byte is the result code of SQLite that the rest extends.
        let reason =
            switch code & 0xFF {
            case 5, 6: "another process holds the database"
            case 7: "there is no memory left"
            case 8, 3: "the file may not be written"
            case 10: "the disk reports an error"
            case 11, 26: "the file is damaged"
            case 13: "the disk is full"
            case 14: "the file cannot be opened"
            default: "error \(code)"
            }
        return "the last write failed: \(reason)"
    }
}
