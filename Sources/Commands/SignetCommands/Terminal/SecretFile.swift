import Foundation

/// Reads a secret from a file; arguments of a process are visible to everyone on the machine.
struct SecretFile {
    private static let sizeLimit = 16 * 1024

    /// The path of the file.
    var path: String

    /// The bytes without one line break at the end.
    func octets() throws(CommandFailure) -> [UInt8] {
        guard let file = FileHandle(forReadingAtPath: path),
            let content = try? file.read(upToCount: Self.sizeLimit + 1), content.count <= Self.sizeLimit
        else { throw .local("SecretFileUnreadable", "the file \(path) cannot be read") }
        var octets = [UInt8](content)
        if octets.last == UInt8(ascii: "\n") { octets.removeLast() }
        if octets.last == UInt8(ascii: "\r") { octets.removeLast() }
        guard !octets.isEmpty else { throw .local("SecretFileEmpty", "the file \(path) is empty") }
        return octets
    }

    /// The text of the file.
    func text() throws(CommandFailure) -> String {
        guard let text = String(validating: try octets(), as: UTF8.self) else {
            throw .local("SecretFileUnreadable", "the file \(path) holds no text")
        }
        return text
    }
}
