import MobileAuthentication
import Synchronization

/// A machine as an application can describe it by itself: a sensor, a passcode, and a lock that a test can take off.
final class Kiosk: PlatformPresence, AuthenticatorPlatform, DeviceLock {
    private let lock = Mutex(DeviceLockStatus.present)

    /// Takes the lock off, as a user does in the settings, or puts it back.
    func setLock(_ status: DeviceLockStatus) { lock.withLock { $0 = status } }

    func status() async -> DeviceLockStatus { lock.withLock { $0 } }

    func confirm(_ gate: UserGate) async throws(UserPresenceError) -> UserPresenceProof {
        UserPresenceProof(gate: gate)
    }

    func enrollmentDigest() async throws(UserPresenceError) -> [UInt8] { [UInt8](repeating: 7, count: 32) }

    func support(for verification: PlatformVerification) async -> PlatformSupport {
        verification == .face ? .absent : .complete
    }
}

/// The window of an application in which the passcode is typed.
struct PasscodeWindow: PasscodeEntry {
    func passcode(_ prompt: PresencePrompt) async throws(UserPresenceError) -> Passcode { throw .cancelled }
}
