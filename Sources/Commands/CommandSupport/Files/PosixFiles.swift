import Foundation
import StrictYAML

/// Access to the server's files with the permissions they need.
package struct PosixFiles: FileReading {
    /// Failure of a system call.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let path: String
        /// Error number (`errno`).
        package let number: Int32

        package init(path: String, number: Int32) {
            self.path = path
            self.number = number
        }

        package var description: String { "\(path): \(String(cString: strerror(number)))" }
    }

    private static let sizeLimit = 16 * 1024 * 1024

    package init() {}

    package func contents(of path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= Self.sizeLimit {
            let count = read(descriptor, &part, part.count)
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes.append(contentsOf: part.prefix(count))
        }
        return nil
    }

    package func permissions(of path: String) -> UInt16? {
        guard access(path, R_OK) == 0 else { return nil }
        switch (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] {
        case let bits as UInt: return UInt16(truncatingIfNeeded: bits)
        case let bits as Int: return UInt16(truncatingIfNeeded: bits)
        case let bits as UInt16: return bits
        default: return nil
        }
    }

    /// Whether there is a file or folder of this name, readable or not.
    package func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Whether a path leads to an open file.
    package func isOpen(_ descriptor: Int32, at path: String) -> Bool {
        var (opened, named) = (stat(), stat())
        return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 && opened.st_ino == named.st_ino
            && opened.st_dev == named.st_dev
    }

    /// Whether no other account can replace a file in a folder: it belongs to this account or to root, and where others
    /// may write to it, they may not remove what is not theirs (sticky, as in /tmp).
    package func isUndisturbed(_ folder: String) throws(Failure) -> Bool {
        var status = stat()
        guard stat(folder, &status) == 0 else { throw Failure(path: folder, number: errno) }
        guard status.st_uid == geteuid() || status.st_uid == 0 else { return false }
        return status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0
    }

    package func names(in folder: String) -> [String]? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Creates a folder that only its owner may enter, and the folders above it.
    package func makePrivateFolder(_ path: String) throws(Failure) {
        var position = path.startIndex
        while let slash = path[position...].firstIndex(of: "/") {
            let parent = String(path[..<slash])
            if !parent.isEmpty { try makeFolder(parent, mode: 0o755) }
            position = path.index(after: slash)
        }
        try makeFolder(path, mode: 0o700)
    }

    private func makeFolder(_ path: String, mode: mode_t) throws(Failure) {
        guard mkdir(path, mode) != 0, errno != EEXIST else { return }
        throw Failure(path: path, number: errno)
    }

    /// Writes a file atomically: a reader sees the old content or the new one.
    package func write(_ bytes: [UInt8], to path: String, mode: UInt16) throws(Failure) {
        let draft = "\(path).new-\(getpid())"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode))
        guard descriptor >= 0 else { throw Failure(path: path, number: errno) }
        guard SystemWrite.all(bytes, to: descriptor), fsync(descriptor) == 0 else {
            throw abandon(draft, descriptor, path)
        }
        close(descriptor)
        guard rename(draft, path) == 0 else { throw abandon(draft, -1, path) }
    }

    /// As ``write(_:to:mode:)``, but does not replace a file that another process has created in the meantime.
    package func writeNew(_ bytes: [UInt8], to path: String, mode: UInt16) throws(Failure) {
        let draft = "\(path).fresh-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        try write(bytes, to: draft, mode: mode)
        defer { unlink(draft) }
        guard link(draft, path) != 0, errno != EEXIST else { return }
        throw Failure(path: path, number: errno)
    }

    /// Waits until the names of the files beside a file are on the disk.
    package func synchronizeFolder(of path: String) throws(Failure) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(path: folder, number: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Failure(path: folder, number: errno) }
    }

    private func abandon(_ draft: String, _ descriptor: Int32, _ path: String) -> Failure {
        let failure = Failure(path: path, number: errno)
        if descriptor >= 0 { close(descriptor) }
        unlink(draft)
        return failure
    }
}

/// System call `write`, repeated until all is written.
package enum SystemWrite {
    /// Writes bytes to an open file, in one call where the system takes them; false where it takes none, with the reason
    /// in `errno`.
    package static func all(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
