import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Folder beside a database file in which each server process has a socket, `<name>.sock`.
///
/// Only the user of the server can enter it, so messages come from processes of this user only. The first process that
/// sends to a socket whose process has ended removes it: names are drawn at random and never used twice, so what is
/// removed is never another one's.
final class PeerFolder: Sendable {
    let path: String
    private let ending: String
    private let descriptor: Int32
    private let listing = Mutex(Listing())

    /// Names as they were when the folder was last listed.
    private struct Listing {
        var names: [String] = []
        var changedAt: (seconds: Int, nanoseconds: Int)?
        var listedAt: ContinuousClock.Instant?
    }

    /// Time after which the folder is listed again though it looks unchanged: its time is not that fine.
    private static let listingAge: Duration = .seconds(1)

    /// Opens the folder beside `databaseFile`, and makes it when it is not there.
    ///
    /// Throws ``ServerProcessesError/folder(path:errorNumber:)`` when it cannot be made or is open to others.
    init(besides databaseFile: String, ending: String = ".sock") throws(ServerProcessesError) {
        path = databaseFile + ".processes"
        self.ending = ending
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .folder(path: path, errorNumber: errno) }
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .folder(path: path, errorNumber: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            close(descriptor)
            throw .folder(path: path, errorNumber: EACCES)
        }
    }

    deinit { close(descriptor) }

    /// Names of the processes that have a socket; some of them may have ended, and one that has begun a moment ago may be
    /// missing.
    var names: [String] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return [] }
        let time = Self.time(of: status)
        let now = ContinuousClock.now
        return listing.withLock { listing in
            if let known = listing.changedAt, known == time, let listedAt = listing.listedAt,
                now - listedAt < Self.listingAge
            {
                return listing.names
            }
            listing = Listing(names: list(), changedAt: time, listedAt: now)
            return listing.names
        }
    }

    private static func time(of status: stat) -> (seconds: Int, nanoseconds: Int) {
        (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }

    private func list() -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let file = withUnsafeBytes(of: &entry.pointee.d_name) { octets in
                String(decoding: octets.prefix { $0 != 0 }, as: UTF8.self)
            }
            if file.hasSuffix(ending) { names.append(String(file.dropLast(ending.count))) }
        }
        return names
    }

    /// Path of the socket of a process, as short as a socket's address needs it.
    ///
    /// An address holds 107 octets, and the path of a data folder may be longer: the folder is named by its
    /// descriptor.
    func address(of name: String) -> String {
        "/proc/self/fd/\(descriptor)/\(name)\(ending)"
    }

    /// Whether the socket of a process was made a minute ago or before.
    func isOld(_ name: String) -> Bool {
        var status = stat()
        var now = timespec()
        guard stat(address(of: name), &status) == 0, clock_gettime(CLOCK_REALTIME, &now) == 0 else { return false }
        return now.tv_sec - status.st_mtim.tv_sec >= Self.age
    }

    private static let age = 60

    func remove(_ name: String) { unlink("\(path)/\(name)\(ending)") }
}
