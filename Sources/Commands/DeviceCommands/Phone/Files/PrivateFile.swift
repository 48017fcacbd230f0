package import CommandSupport
import HardwareKeys

/// File that a command writes for its owner only: no other user can read it at any moment.
package struct PrivateFile {
    private let path: String

    /// File at a path; an existing file or symbolic link is replaced.
    package init(path: String) {
        self.path = path
    }

    /// Writes a text and a line break to a new file of mode 0600, which is then renamed to the path.
    ///
    /// Throws ``CommandFailure``.
    package func write(_ text: String) throws(CommandFailure) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.count > 1 ? parts.dropLast().joined(separator: "/") : "."
        let file = AtomicFile(
            named: String(parts.last ?? ""), in: folder, of: PosixFileSystem(allowsNetwork: true))
        do {
            try file.replace(with: Array((text + "\n").utf8))
        } catch {
            throw .local("FileUnwritable", "the file \(path) cannot be written")
        }
    }
}
