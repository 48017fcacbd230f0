import Authenticators
import HardwareKeys
import Synchronization

/// The person in front of a test device, with the sensors and the lock: does what the test says.
final class ScriptedPerson: UserPresence, AuthenticatorPlatform, DeviceLock {
    struct Script: Sendable {
        /// What is enrolled; nil for a sensor with nothing enrolled.
        var enrolled: [UInt8]? = Array(repeating: 7, count: 32)
        /// Whether there is a sensor.
        var hasSensor = true
        /// What the next question ends with; nil for a proof.
        var refusal: UserPresenceError?
        /// The gate of the proof, when it is another than the one asked for.
        var passed: UserGate?
        var lock = DeviceLockStatus.unknown
        /// Happens while the person is asked.
        var whileAsked: (@Sendable (ScriptedPerson) async -> Void)?
        fileprivate(set) var asked: [UserGate] = []
        fileprivate(set) var prompts: [PresencePrompt] = []
    }

    private let script = Mutex(Script())

    var asked: [UserGate] { script.withLock { $0.asked } }
    var prompts: [PresencePrompt] { script.withLock { $0.prompts } }

    func change(_ change: @Sendable (inout Script) -> Void) {
        script.withLock { change(&$0) }
    }

    // MARK: - The user

    func confirm(_ gate: UserGate) async throws(UserPresenceError) -> UserPresenceProof {
        try await confirm(gate, prompt: PresencePrompt(reason: "default"))
    }

    func confirm(_ gate: UserGate, prompt: PresencePrompt) async throws(UserPresenceError) -> UserPresenceProof {
        let now = script.withLock { script in
            script.asked.append(gate)
            script.prompts.append(prompt)
            return script
        }
        await now.whileAsked?(self)
        if let refusal = now.refusal { throw refusal }
        return UserPresenceProof(gate: now.passed ?? gate)
    }

    func enrollmentDigest() async throws(UserPresenceError) -> [UInt8] {
        let now = script.withLock { $0 }
        guard now.hasSensor, let enrolled = now.enrolled else { throw .unavailable }
        return enrolled
    }

    // MARK: - The device

    func support(for verification: PlatformVerification) async -> PlatformSupport {
        let now = script.withLock { $0 }
        return PlatformSupport(
            isSupportedByHardware: now.hasSensor, isSupportedByOs: true, isEnrolled: now.enrolled != nil)
    }

    func status() async -> DeviceLockStatus {
        script.withLock { $0.lock }
    }
}
