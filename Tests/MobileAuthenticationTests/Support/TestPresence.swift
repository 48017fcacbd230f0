import Authenticators
import HardwareKeys
import MobileAuthentication
import Synchronization

/// A system whose user does what a script says, and that knows fingers which can be changed.
final class TestPresence: UserPresence, AuthenticatorPlatform {
    /// What the user does with one question of the system.
    enum Act: Sendable {
        case pass
        case fail(UserPresenceError)
        /// Nothing until the question is taken away.
        case wait
    }

    private struct State {
        var acts: [Act] = []
        var digest = [UInt8](repeating: 1, count: 32)
        var questions: [(gate: UserGate, reason: String)] = []
        var support: [PlatformVerification: PlatformSupport] = [:]
        var tellsAtOnce = false
    }

    private let state = Mutex(State())

    init(_ acts: [Act] = []) { state.withLock { $0.acts = acts } }

    /// What comes next; without a script the user passes.
    func script(_ acts: [Act]) { state.withLock { $0.acts = acts } }

    /// Enrols another finger.
    func changeFingers() { state.withLock { $0.digest[0] &+= 1 } }

    /// What the system has for a kind.
    func offer(_ support: PlatformSupport, for verification: PlatformVerification) {
        state.withLock { $0.support[verification] = support }
    }

    var reasons: [String] { state.withLock { $0.questions.map(\.reason) } }

    var gates: [UserGate] { state.withLock { $0.questions.map(\.gate) } }

    func support(for verification: PlatformVerification) async -> PlatformSupport {
        state.withLock { $0.support[verification] } ?? .complete
    }

    func supportAtOnce(for verification: PlatformVerification) -> PlatformSupport? {
        state.withLock { $0.tellsAtOnce ? $0.support[verification] ?? .complete : nil }
    }

    /// Says that this platform needs no time to tell what it has.
    func tellAtOnce() { state.withLock { $0.tellsAtOnce = true } }

    func confirm(_ gate: UserGate) async throws(UserPresenceError) -> UserPresenceProof {
        try await confirm(gate, prompt: PresencePrompt(reason: ""))
    }

    func confirm(_ gate: UserGate, prompt: PresencePrompt) async throws(UserPresenceError) -> UserPresenceProof {
        let act = state.withLock { state in
            state.questions.append((gate, prompt.reason))
            return state.acts.isEmpty ? .pass : state.acts.removeFirst()
        }
        switch act {
        case .pass: return UserPresenceProof(gate: gate)
        case .fail(let error): throw error
        case .wait:
            while !Task.isCancelled { await Task.yield() }
            throw .cancelled
        }
    }

    func enrollmentDigest() async throws(UserPresenceError) -> [UInt8] { state.withLock { $0.digest } }
}

/// A screen lock that can be taken away.
final class TestLock: DeviceLock {
    private let present = Mutex(DeviceLockStatus.present)

    func set(_ status: DeviceLockStatus) { present.withLock { $0 = status } }

    func status() async -> DeviceLockStatus { present.withLock { $0 } }
}

/// The time of cool-downs, moved by hand.
final class TestCoolDowns: CoolDownClock {
    private let seconds = Mutex<Int64>(0)

    /// Lets time pass.
    func pass(_ count: Int64) { seconds.withLock { $0 += count } }

    func read() -> ClockReading {
        let seconds = seconds.withLock { $0 }
        guard let boot = BootID([UInt8](repeating: 7, count: BootID.byteCount)) else {
            preconditionFailure("a boot identifier of the right length")
        }
        return ClockReading(
            wallSeconds: 1_700_000_000 + seconds, bootID: boot, bootMilliseconds: 1_000_000 + seconds * 1000)
    }
}
