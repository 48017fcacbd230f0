/// Content of a disk: directories, and files with their whole content.
package struct DiskImage: Hashable, Sendable {
    /// Paths of the directories.
    package var directories: Set<String>
    /// Content of every file by its path.
    package var files: [String: [UInt8]]

    /// Empty disk.
    package init(directories: Set<String> = [], files: [String: [UInt8]] = [:]) {
        self.directories = directories
        self.files = files
    }

    /// Hashes each content as one piece of bytes; element by element, as arrays do, listing power losses would take
    /// minutes.
    package func hash(into hasher: inout Hasher) {
        for (path, content) in files.sorted(by: { $0.key < $1.key }) {
            hasher.combine(path)
            content.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    /// Directory of a path; `.` for a path without one.
    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return String(path[..<slash])
    }
}
