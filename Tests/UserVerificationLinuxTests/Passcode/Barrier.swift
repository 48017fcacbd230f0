import Foundation
import Synchronization

/// A file at which every program that reads it stands still until the test lifts it: a pipe that is not closed.
final class Barrier: Sendable {
    let path: String
    private let writer = Mutex<Int32?>(nil)

    init(in folder: String) throws {
        path = folder + "/" + UUID().uuidString
        guard mkfifo(path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Waits until a program stands there.
    func waitForReader() {
        let descriptor = open(path, O_WRONLY)
        writer.withLock { $0 = descriptor }
    }

    /// Lets everybody go on, now and later.
    func lift() {
        rename(path, path + ".old")
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        close(writer.withLock { $0.take() } ?? open(path + ".old", O_RDWR))
    }
}
