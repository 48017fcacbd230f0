import CommandSupport
import Logging
import ServerConfiguration
import ServerCore
import ServiceLifecycle

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Lease of an instance name on a database, which one process holds at a time.
///
/// It is a lock of the operating system on a file beside the database: it ends with the process, however that ends, and
/// depends on no clock. The file names the holder; a successor that wants the lease writes its request there.
struct InstanceLease: Sendable {
    /// Interval between two checks of the lock, or of a successor's request.
    static let pollInterval: Duration = .milliseconds(200)

    private static let wish: [UInt8] = Array("handover\n".utf8)

    private let path: String
    private let descriptor: Int32

    /// Acquires the lease of `instance` on a database.
    ///
    /// If another process holds it: throws, or with `isTakingOver` asks that process to stop and waits until it has, at
    /// most for `patience`.
    static func take(
        _ instance: String, on databaseFile: String, isTakingOver: Bool, patience: Duration
    ) async throws -> InstanceLease {
        let path = databaseFile + ".lease-" + name(of: instance)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw PosixFiles.Failure(path: path, number: errno) }
        let lease = InstanceLease(path: path, descriptor: descriptor)
        do {
            try await lease.lock(instance, databaseFile, isTakingOver: isTakingOver, patience: patience)
            try lease.write([])
            return lease
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Returns when a successor requests the lease.
    func handoverAsked() async {
        while !Task.isCancelled {
            if PosixFiles().contents(of: path) == Self.wish { return }
            try? await Task.sleep(for: Self.pollInterval)
        }
    }

    /// Releases the lease.
    func release() { close(descriptor) }

    private func lock(
        _ instance: String, _ databaseFile: String, isTakingOver: Bool, patience: Duration
    ) async throws {
        let clock = ContinuousClock()
        let deadline = clock.now + patience
        var isAsked = false
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw PosixFiles.Failure(path: path, number: errno) }
            guard isTakingOver else { throw Self.inUse(instance, databaseFile) }
            guard clock.now < deadline else {
                throw CommandFailure.local(
                    "instanceInUse",
                    "the server \(instance) on \(databaseFile) was asked to hand over and still runs; stop it first")
            }
            if !isAsked { try write(Self.wish) }
            isAsked = true
            try await Task.sleep(for: Self.pollInterval)
        }
    }

    private static func inUse(_ instance: String, _ databaseFile: String) -> CommandFailure {
        .local(
            "instanceInUse",
            "a server named \(instance) runs on \(databaseFile) already; give this one another instance-name, stop the "
                + "other one, or take its place with \"serve --take-over\"")
    }

    private func write(_ bytes: [UInt8]) throws(PosixFiles.Failure) {
        guard ftruncate(descriptor, 0) == 0,
            bytes.isEmpty || pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
        else { throw PosixFiles.Failure(path: path, number: errno) }
    }

    /// File name for an instance name, which may contain any character.
    private static func name(of instance: String) -> String {
        AuditHash(of: instance.utf8).octets.prefix(8).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}

extension Deployment {
    /// Path with which the names of lease files begin: the file of the embedded database, or one in the data directory,
    /// where the database is on a server.
    var leaseFile: String { database.file ?? dataDirectory + "/postgresql" }
}

/// Service that ends when a successor requests the lease, which stops the service group and with it the server.
struct InstanceLeaseWatch: Service {
    let lease: InstanceLease
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await lease.handoverAsked()
            if !Task.isCancelled { logger.notice("another process takes over") }
        }
    }
}
