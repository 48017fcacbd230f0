import Locking
import Octets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Time, randomness, reactions and flavour of a network, which tests replace.
struct GuardEnvironment: Sendable {
    var random: @Sendable () -> UInt64
    var sleep: @Sendable (Duration) async throws -> Void
    /// Wipes the secrets and ends the process; returns in tests only.
    var crash: @Sendable () -> Void
    /// Keeps the calling thread; returns in tests only.
    var stopResponding: @Sendable () -> Void
    /// Flavour of the SDK; in the debug flavour nothing is looked at.
    var flavor = GuardSummary.Flavor.release
    /// Does work beside the caller's thread; where there is no thread for it, not at all.
    var detach: @Sendable (@escaping @Sendable () -> Void) -> Void = { try? DetachedThread.start($0) }

    static let live = GuardEnvironment(
        random: { UInt64.random(in: 0...UInt64.max) }, sleep: { try await Task.sleep(for: $0) },
        crash: { Reactions.crash() }, stopResponding: { Reactions.stopResponding() },
        flavor: GuardSummary.flavor)

    /// Waits half to one and a half of a time, at random; false when the task was cancelled.
    func wait(about mean: Duration) async -> Bool {
        let thousandths = 500 + Int(random() % 1_001)
        do {
            try await sleep(mean / 1_000 * thousandths)
            return true
        } catch {
            return false
        }
    }
}

/// The reactions that end a process or keep it from going on.
enum Reactions {
    /// Wipes the copies of secrets in memory and kills the process: no core file, no handler, nothing on standard error.
    ///
    /// What is stored survives. A thread that is just sealing a file might do so with a key that was wiped, so from before
    /// the wiping on no file of the process can grow: a new file stays incomplete, and the old one in its place.
    static func crash() -> Never {
        signal(SIGXFSZ, SIG_IGN)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Glibc)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &none)
        #else
            setrlimit(RLIMIT_FSIZE, &none)
        #endif
        SecretOctets.wipeAll()
        kill(getpid(), SIGKILL)
        // The first process of a container cannot kill itself by SIGKILL (pid_namespaces(7)), and a filter of system
        // calls may refuse the call.
        _exit(128 + SIGKILL)
    }

    static func stopResponding() -> Never {
        while true { sleep(3_600) }
    }
}
