import HardwareKeys
import Synchronization

/// A user who does what the test says, and counts how often he is asked.
final class ScriptedPresence: UserPresence {
    struct Script: Sendable {
        var enrolled: [UInt8] = Array(repeating: 7, count: 32)
        var refusal: UserPresenceError?
        var asked: [UserGate] = []
    }

    private let script = Mutex(Script())

    var asked: [UserGate] { script.withLock { $0.asked } }

    func change(_ change: @Sendable (inout Script) -> Void) {
        script.withLock { change(&$0) }
    }

    func confirm(_ gate: UserGate) async throws(UserPresenceError) -> UserPresenceProof {
        let refusal = script.withLock { script in
            script.asked.append(gate)
            return script.refusal
        }
        if let refusal { throw refusal }
        return UserPresenceProof(gate: gate)
    }

    func enrollmentDigest() async throws(UserPresenceError) -> [UInt8] {
        script.withLock { $0.enrolled }
    }
}
