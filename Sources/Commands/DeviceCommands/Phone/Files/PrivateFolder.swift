package import CommandSupport
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

    /// Refuses a folder in which another account could replace a file (``PosixFiles/isUndisturbed(_:)``).
    ///
    /// Throws ``CommandFailure``.
    package func requireUndisturbed() throws(CommandFailure) {
        do throws(PosixFiles.Failure) {
            if try PosixFiles().isUndisturbed(path) { return }
        } catch {
            throw .local("FileUnwritable", "the folder \(path) cannot be used: \(error.description)")
        }
        throw .local(
            "FolderExposed", "other accounts may replace files in the folder \(path): name a file in one of your own")
    }
}
