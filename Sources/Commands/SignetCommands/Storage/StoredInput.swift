import Foundation

/// A value from a file or from standard input.
struct StoredInput {
    private static let sizeLimit = 16 << 20

    /// The path of the file; nil for standard input.
    let path: String?

    /// The bytes, as they are.
    func octets() throws(CommandFailure) -> [UInt8] {
        let file = path.map { FileHandle(forReadingAtPath: $0) } ?? FileHandle.standardInput
        guard let file, let content = try? file.read(upToCount: Self.sizeLimit + 1) ?? Data(),
            content.count <= Self.sizeLimit
        else { throw .local("ValueUnreadable", "the value cannot be read, or has more than 16 MiB") }
        return [UInt8](content)
    }

    /// The bytes as text without one line break at the end; nil when they are none.
    static func text(_ octets: [UInt8]) -> String? {
        var octets = octets[...]
        if octets.last == UInt8(ascii: "\n") { octets.removeLast() }
        return String(validating: octets, as: UTF8.self)
    }
}
