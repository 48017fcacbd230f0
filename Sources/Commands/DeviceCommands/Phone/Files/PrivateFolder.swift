package import CommandSupport
import Foundation
import HardwareKeys

/// Folder of this account into which other accounts put nothing.
package struct PrivateFolder {
    private let path: String

    package init(path: String) { self.path = path }

    /// Makes it with mode 0700 where it is missing; refuses one of another account, and one that others may enter.
    ///
    /// Throws ``CommandFailure``.
    package func make() throws(CommandFailure) {
        do {
            try PosixFileSystem(allowsNetwork: true).makeDirectory(path)
        } catch .exposed {
            throw .local(
                "FolderExposed",
                "the folder \(path) belongs to another account, or others may enter it: take their rights away (chmod 700), or "
                    + "name another folder")
        } catch {
            throw .local("FileUnwritable", "the folder \(path) cannot be made or used: \(error.description)")
        }
    }

    /// Refuses a folder in which another account could replace a file: it belongs to this account or to root, and where
    /// others may write to it, they may not remove what is not theirs (sticky, as in /tmp).
    ///
    /// Throws ``CommandFailure``.
    package func requireUndisturbed() throws(CommandFailure) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw .local("FileUnwritable", "the folder \(path) cannot be used: \(String(cString: strerror(errno)))")
        }
        let isOwn = status.st_uid == geteuid() || status.st_uid == 0
        let isWritable = status.st_mode & 0o022 != 0
        guard isOwn, !isWritable || status.st_mode & S_ISVTX != 0 else {
            throw .local(
                "FolderExposed",
                "other accounts may replace files in the folder \(path): name a file in one of your own")
        }
    }
}
