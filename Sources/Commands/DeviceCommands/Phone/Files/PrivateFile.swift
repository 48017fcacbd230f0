package import CommandSupport
import HardwareKeys

/// File that a command writes for its owner only: no other user can read it at any moment.
package struct PrivateFile {
    private let path: String

    /// File at a path; an existing file or symbolic link is replaced.
    package init(path: String) {
        self.path = path
    }

    /// Path of its folder.
    var folder: String {
        guard let end = path.lastIndex(of: "/") else { return "." }
        return end == path.startIndex ? "/" : String(path[..<end])
    }

    /// Writes a text and a line break to a new file of mode 0600, which is then renamed to the path.
    ///
    /// Throws ``CommandFailure``.
    package func write(_ text: String) throws(CommandFailure) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let file = AtomicFile(named: String(name), in: folder, of: PosixFileSystem(allowsNetwork: true))
        do {
            try file.replace(with: Array((text + "\n").utf8))
        } catch {
            throw .local("FileUnwritable", "the file \(path) cannot be written")
        }
    }
}
