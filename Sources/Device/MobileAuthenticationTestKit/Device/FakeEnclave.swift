import Crypto
public import HardwareKeys
import Locking

/// Simulated secure hardware of a phone: its sensors, what is enrolled, its passcode.
///
/// It can do what real hardware does by hand only: enrol another finger, lose the passcode, break.
///
/// ```swift
/// let enclave = FakeEnclave(sensors: [.face])
/// let phone = try await TestPhone(configuration, enclave: enclave)
/// enclave.next(.noMatch)  // The next dialog fails; those after it match.
/// enclave.enroll("another face")
/// enclave.removePasscode()
/// await phone.client.localData.refresh()
/// ```
public final class FakeEnclave: Sendable {
    /// Result of the system's dialog.
    public enum Scan: Hashable, Sendable {
        /// The enrolled finger, face or passcode.
        case match
        /// Another one.
        case noMatch
        /// The user cancels the dialog.
        case cancel
        /// The user wants another way, such as the passcode.
        case fallback
        /// The platform takes no more tries for a time.
        case lockedOut
        /// The user does not react; the dialog stays.
        case silence
        /// The sensor breaks off.
        case failure
    }

    /// A kind of sensor.
    public enum Sensor: Hashable, Sendable {
        case finger
        case face
    }

    private struct State {
        var sensors: Set<Sensor>
        var enrolled: Set<String>
        var hasPasscode: Bool
        var scans: [Scan] = []
        var dialogs: [UserGate] = []

        func support(for verification: PlatformVerification) -> PlatformSupport {
            switch verification {
            case .devicePasscode:
                PlatformSupport(isSupportedByHardware: true, isSupportedByOs: true, isEnrolled: hasPasscode)
            case .fingerprint:
                PlatformSupport(
                    isSupportedByHardware: sensors.contains(.finger), isSupportedByOs: true,
                    isEnrolled: enrolled.contains { $0 != "face" })
            case .face:
                PlatformSupport(
                    isSupportedByHardware: sensors.contains(.face), isSupportedByOs: true,
                    isEnrolled: enrolled.contains("face"))
            }
        }
    }

    private let state: Lock<State>

    /// A phone with sensors, one enrolled finger or face each, and a passcode.
    public init(sensors: Set<Sensor> = [.finger], hasPasscode: Bool = true) {
        let enrolled = Set(sensors.map { $0 == .finger ? "right index finger" : "face" })
        state = Lock(State(sensors: sensors, enrolled: enrolled, hasPasscode: hasPasscode))
    }

    /// Enrols another finger or face in the operating system.
    public func enroll(_ name: String) { state.withLock { _ = $0.enrolled.insert(name) } }

    /// Removes a finger or face from the operating system.
    public func remove(_ name: String) { state.withLock { _ = $0.enrolled.remove(name) } }

    /// Names of the enrolled fingers and faces.
    public var enrolled: Set<String> { state.withLock { $0.enrolled } }

    /// Removes the screen lock.
    public func removePasscode() { state.withLock { $0.hasPasscode = false } }

    /// Sets a passcode.
    public func setPasscode() { state.withLock { $0.hasPasscode = true } }

    /// Breaks a sensor.
    public func unplug(_ sensor: Sensor) { state.withLock { _ = $0.sensors.remove(sensor) } }

    /// Scripts the results of the next dialogs of the system; those after them match.
    public func next(_ scans: Scan...) { state.withLock { $0.scans += scans } }

    /// The dialogs that the system has shown, in order.
    public var dialogs: [UserGate] { state.withLock { $0.dialogs } }
}

extension FakeEnclave: UserPresence {
    /// Shows the system's dialog; it comes to what ``next(_:)`` said.
    ///
    /// Throws `UserPresenceError`.
    public func confirm(_ gate: UserGate) async throws(UserPresenceError) -> UserPresenceProof {
        let scan = try begin(gate)
        switch scan {
        case .match: return UserPresenceProof(gate: gate)
        case .noMatch: throw .mismatch
        case .cancel: throw .cancelled
        case .fallback: throw .fallbackChosen
        case .lockedOut: throw .lockedOut
        case .failure: throw .notResponding
        case .silence:
            let stream = AsyncStream<Never> { _ in }
            for await _ in stream {}
            throw .cancelled
        }
    }

    /// A digest of what is enrolled.
    ///
    /// Throws `UserPresenceError.unavailable` when nothing is.
    public func enrollmentDigest() async throws(UserPresenceError) -> [UInt8] {
        let (hasSensor, names) = state.withLock { (!$0.sensors.isEmpty, $0.enrolled.sorted()) }
        guard hasSensor, !names.isEmpty else { throw .unavailable }
        return Array(SHA256.hash(data: Array(names.joined(separator: "\n").utf8)))
    }

    private func begin(_ gate: UserGate) throws(UserPresenceError) -> Scan {
        let scan: Scan? = state.withLock { state in
            let hasBiometry = !state.sensors.isEmpty && !state.enrolled.isEmpty
            let isPossible =
                switch gate {
                case .devicePasscode: state.hasPasscode
                case .biometryAny, .biometryCurrentSet: hasBiometry
                case .userPresence: state.hasPasscode || hasBiometry
                @unknown default: false
                }
            guard isPossible else { return nil }
            state.dialogs.append(gate)
            return state.scans.isEmpty ? .match : state.scans.removeFirst()
        }
        guard let scan else { throw .unavailable }
        return scan
    }
}

extension FakeEnclave: PlatformPresence, AuthenticatorPlatform {
    /// Current support of the phone.
    public func support(for verification: PlatformVerification) async -> PlatformSupport {
        state.withLock { $0.support(for: verification) }
    }

    /// Current support of the phone.
    public func supportAtOnce(for verification: PlatformVerification) -> PlatformSupport? {
        state.withLock { $0.support(for: verification) }
    }
}

extension FakeEnclave: DeviceLock {
    /// Whether there is a passcode.
    public func status() async -> DeviceLockStatus { state.withLock { $0.hasPasscode ? .present : .absent } }
}
