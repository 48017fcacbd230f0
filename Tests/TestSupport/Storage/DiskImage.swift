/// What lies on a disk: directories, and files with their whole content.
package struct DiskImage: Hashable, Sendable {
    /// The paths of the directories.
    package var directories: Set<String>
    /// The content of every file by its path.
    package var files: [String: [UInt8]]

    /// An empty disk.
    package init(directories: Set<String> = [], files: [String: [UInt8]] = [:]) {
        self.directories = directories
        self.files = files
    }

    /// Takes every content as one piece: element by element, as arrays do, power losses would take minutes to list.
    package func hash(into hasher: inout Hasher) {
        for (path, content) in files.sorted(by: { $0.key < $1.key }) {
            hasher.combine(path)
            content.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    /// The directory a path lies in; a path without one lies in `.`.
    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return String(path[..<slash])
    }
}
