import Foundation

/// A file that a command writes for its owner only.
struct PrivateFile {
    /// The path of the file.
    var path: String

    /// Writes a text and a line break.
    func write(_ text: String) throws(CommandFailure) {
        let isWritten = FileManager.default.createFile(
            atPath: path, contents: Data((text + "\n").utf8), attributes: [.posixPermissions: 0o600])
        guard isWritten else { throw .local("FileUnwritable", "the file \(path) cannot be written") }
    }
}
