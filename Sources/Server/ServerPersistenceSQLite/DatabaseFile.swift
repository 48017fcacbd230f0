import Foundation
import ServerPersistence

/// The file of a database and who may read it.
struct DatabaseFile {
    let path: String

    /// Makes the file when it is not there and takes all rights from everyone but its owner.
    ///
    /// SQLite gives the files it lays beside the database the same mode.
    func makePrivate() throws(ServerPersistenceError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .file(errorNumber: errno) }
        defer { close(descriptor) }
        guard fchmod(descriptor, 0o600) == 0 else { throw .file(errorNumber: errno) }
    }
}
