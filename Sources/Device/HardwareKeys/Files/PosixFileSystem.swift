import Locking

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The file system of the operating system.
package struct PosixFileSystem: FileSystem {
    private let allowsNetwork: Bool
    /// Disks that the table of mounts said to be local: every commit of a storage asks, and to read it took a tenth of one.
    private let localDisks = Lock<Set<UInt64>>([])

    /// The file system of this process; directories on other machines are refused unless `allowsNetwork`.
    package init(allowsNetwork: Bool = false) { self.allowsNetwork = allowsNetwork }

    /// Octets of the absolute path of what is at a path, without links; nil when there is nothing.
    ///
    /// Targets that import the library of the TPM cannot call `realpath` in a hardened build: its headers define it anew.
    package static func canonicalPath(of path: String) -> [UInt8]? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return UnsafeBufferPointer(start: found, count: strlen(found)).map { UInt8(bitPattern: $0) }
    }

    package func makeDirectory(_ path: String) throws(FileSystemError) {
        do {
            try requireOwnDirectory(path)
            // Its maker may have ended before the name was on the disk; a process that put something into it has waited.
            if Self.isEmpty(path) { try synchronizeParent(of: path) }
        } catch .absent {
            try makeParents(of: path)
            if try !makeOne(path) { try synchronizeParent(of: path) }
            try requireOwnDirectory(path)
        }
    }

    package func read(_ path: String, atMost limit: Int) throws(FileSystemError) -> [UInt8] {
        let file = try PosixDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
        let size = try file.requirePrivate(kind: S_IFREG)
        guard size <= limit else { throw .tooLarge(limit: limit) }
        return try file.readAll(guessing: size, limit: limit)
    }

    package func readEnds(_ path: String, first: Int, last: Int) throws(FileSystemError) -> FileEnds {
        let file = try PosixDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
        let size = try file.requirePrivate(kind: S_IFREG)
        return FileEnds(
            byteCount: size, first: try file.readPart(count: min(first, size), at: 0),
            last: try file.readPart(count: min(last, size), at: size - min(last, size)))
    }

    package func openFile(_ path: String) throws(FileSystemError) -> any ReadableFile {
        try PosixReadableFile(path)
    }

    package func appendFile(_ path: String) throws(FileSystemError) -> any NewFile {
        let file = try PosixDescriptor(opening: path, O_WRONLY | O_APPEND | O_NONBLOCK)
        try file.requirePrivate(kind: S_IFREG)
        return PosixNewFile(file)
    }

    package func names(in directory: String) throws(FileSystemError) -> [String] {
        guard let stream = opendir(directory) else { throw .last }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    package func makeFile(_ path: String) throws(FileSystemError) -> any NewFile {
        let file = try PosixDescriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL)
        #if canImport(Darwin)
            try FileProtection.state(of: file.number)
        #endif
        return PosixNewFile(file)
    }

    package func rename(_ path: String, to newPath: String) throws(FileSystemError) {
        #if canImport(Glibc)
            let result = Glibc.rename(path, newPath)
        #elseif canImport(Musl)
            let result = Musl.rename(path, newPath)
        #else
            let result = Darwin.rename(path, newPath)
        #endif
        guard result == 0 else { throw .last }
    }

    package func remove(_ path: String) throws(FileSystemError) {
        guard unlink(path) == 0 else { throw .last }
    }

    package func synchronizeDirectory(_ path: String) throws(FileSystemError) {
        try PosixDescriptor(opening: path, O_RDONLY | O_DIRECTORY).synchronize()
    }

    package func tryLock(_ path: String) throws(FileSystemError) -> FileLock? {
        try PosixLock.take(path)
    }

    /// Whether others than its owner have rights to an open regular file; nil when the system does not tell.
    ///
    /// Pipes and terminals are not exposed: who may open them is judged elsewhere.
    package static func isExposed(openFile descriptor: Int32) -> Bool? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        return status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o077 != 0
    }

    /// Makes the directories above `path`; those that are there already belong to the system and are left as they are.
    private func makeParents(of path: String) throws(FileSystemError) {
        let parts = path.split(separator: "/").dropLast()
        var parent = path.hasPrefix("/") ? "" : "."
        for part in parts {
            parent += "/" + part
            try makeOne(parent)
        }
    }

    /// Makes one directory and waits until its name is on the disk; false when it was there.
    @discardableResult
    private func makeOne(_ path: String) throws(FileSystemError) -> Bool {
        guard mkdir(path, 0o700) == 0 else {
            guard errno == EEXIST || errno == EISDIR else { throw .last }
            return false
        }
        try synchronizeDirectory(Self.parent(of: path))
        return true
    }

    /// Refuses a directory that others may enter, or that lies on another machine.
    private func requireOwnDirectory(_ path: String) throws(FileSystemError) {
        let directory = try PosixDescriptor(opening: path, O_RDONLY | O_DIRECTORY)
        try directory.requirePrivate(kind: S_IFDIR)
        if !allowsNetwork, try directory.isRemote(at: path, besides: localDisks) { throw .failed(code: EREMOTE) }
    }

    /// Waits until the name of a directory that another process has made is on the disk.
    ///
    /// A parent that this user may not read (`/home` is such a one) was not made by this user's processes.
    private func synchronizeParent(of path: String) throws(FileSystemError) {
        do {
            try synchronizeDirectory(Self.parent(of: path))
        } catch .failed(EACCES) {
            return
        }
    }

    private static func isEmpty(_ path: String) -> Bool {
        guard let stream = opendir(path) else { return true }
        defer { closedir(stream) }
        // Every directory has itself and its parent.
        return readdir(stream) != nil && readdir(stream) != nil && readdir(stream) == nil
    }

    private static func parent(of path: String) -> String {
        let parts = path.split(separator: "/").dropLast()
        return (path.hasPrefix("/") ? "/" : "./") + parts.joined(separator: "/")
    }
}

extension FileSystemError {
    /// Error of the last failed call of the operating system (`errno`).
    static var last: FileSystemError {
        switch errno {
        case ENOENT: .absent
        case EEXIST: .present
        case ELOOP: .exposed
        default: .failed(code: errno)
        }
    }
}
