import CommandSupport
import Foundation
import Logging
import Octets
import ServerConfiguration
import ServerCore
import ServiceLifecycle

/// Lease of an instance name on a database, which its server processes hold together.
///
/// It is a lock of the operating system on a file beside the database: it ends with the process, however that ends, and
/// depends on no clock. Servers share the lock. A server that takes over asks the others to stop, by a request in the
/// file, and waits until it has the lock alone.
struct InstanceLease: Sendable {
    /// Interval between two checks of the lock, or of a successor's request.
    static let pollInterval: Duration = .milliseconds(200)
    /// Time for which a server waits for a lock that another process holds alone, as a starting server does for a
    /// moment.
    private static let startPatience: Duration = .seconds(2)

    private static let wish: [UInt8] = Array("handover\n".utf8)

    private let path: String
    private let descriptor: Int32

    /// Acquires the lease of `instance` on a database, beside others that hold it.
    ///
    /// With `isTakingOver` asks the others to stop and waits until they have, at most for `patience`. Throws when
    /// another process holds the lease alone, or is about to take over.
    static func take(
        _ instance: String, on databaseFile: String, isTakingOver: Bool, patience: Duration
    ) async throws -> InstanceLease {
        let path = databaseFile + ".lease-" + name(of: instance)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw PosixFiles.Failure(path: path, number: errno) }
        let lease = InstanceLease(path: path, descriptor: descriptor)
        do {
            if isTakingOver {
                try await lease.takeOver(instance, databaseFile, patience: patience)
            } else {
                try await lease.join(instance, databaseFile)
            }
            return lease
        } catch {
            close(descriptor)
            throw error
        }
    }

    func handoverAsked() async {
        while !Task.isCancelled {
            if isHandoverAsked { return }
            try? await Task.sleep(for: Self.pollInterval)
        }
    }

    func release() { close(descriptor) }

    private var isHandoverAsked: Bool { PosixFiles().contents(of: path) == Self.wish }

    // MARK: - Taking

    private func join(_ instance: String, _ databaseFile: String) async throws {
        let clock = ContinuousClock()
        let deadline = clock.now + Self.startPatience
        while true {
            // Alone, it clears what a successor has left that was killed while it waited.
            if try lock(LOCK_EX) { return try shareAlone() }
            if try lock(LOCK_SH) {
                guard isHandoverAsked else { return }
                flock(descriptor, LOCK_UN)
                throw Self.handingOver(instance, databaseFile)
            }
            guard clock.now < deadline else { throw Self.handingOver(instance, databaseFile) }
            try await Task.sleep(for: Self.pollInterval)
        }
    }

    private func takeOver(_ instance: String, _ databaseFile: String, patience: Duration) async throws {
        let clock = ContinuousClock()
        let deadline = clock.now + patience
        var isAsked = false
        while try !lock(LOCK_EX) {
            guard clock.now < deadline else {
                try write([])
                throw CommandFailure.local(
                    "instanceInUse",
                    "the server \(instance) on \(databaseFile) was asked to hand over and still runs; stop it first")
            }
            if !isAsked { try write(Self.wish) }
            isAsked = true
            try await Task.sleep(for: Self.pollInterval)
        }
        try shareAlone()
    }

    /// Clears requests, and shares a lock that is held alone.
    private func shareAlone() throws {
        try write([])
        // Another process may come in between; it holds the lock alone for no longer than this one did.
        while try !lock(LOCK_SH) { usleep(1_000) }
    }

    /// Tries to take the lock; false when others hold it so that it cannot be had.
    private func lock(_ kind: Int32) throws(PosixFiles.Failure) -> Bool {
        if flock(descriptor, kind | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK || errno == EINTR else { throw PosixFiles.Failure(path: path, number: errno) }
        return false
    }

    private static func handingOver(_ instance: String, _ databaseFile: String) -> CommandFailure {
        .local(
            "instanceInUse",
            "the servers named \(instance) on \(databaseFile) are handing over to another one; start this one again "
                + "when that has happened")
    }

    private func write(_ bytes: [UInt8]) throws(PosixFiles.Failure) {
        guard ftruncate(descriptor, 0) == 0,
            bytes.isEmpty || pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
        else { throw PosixFiles.Failure(path: path, number: errno) }
    }

    /// File name for an instance name, which may contain any character.
    private static func name(of instance: String) -> String {
        Hex.encode(AuditHash(of: instance.utf8).octets.prefix(8))
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
