/// User verification method of the operating system.
@nonexhaustive
public enum PlatformVerification: CaseIterable, Hashable, Sendable {
    /// A finger that is enrolled in the operating system.
    case fingerprint
    /// A face that is enrolled in the operating system.
    case face
    /// The secret that unlocks the device.
    case devicePasscode
}

/// Support of a device for one verification method.
public struct PlatformSupport: Hashable, Sendable {
    /// Nothing is there.
    public static let absent = PlatformSupport(
        isSupportedByHardware: false, isSupportedByOs: false, isEnrolled: false)
    /// All that is needed is there and enrolled.
    public static let complete = PlatformSupport(
        isSupportedByHardware: true, isSupportedByOs: true, isEnrolled: true)

    /// Whether the device has what it needs (a sensor).
    public let isSupportedByHardware: Bool
    /// Whether the operating system offers it to applications.
    public let isSupportedByOs: Bool
    /// Whether the user has enrolled something (fingers, a face, a passcode).
    public let isEnrolled: Bool
    /// Whether the sensor is one of class 3 as Android counts them; keys on weaker ones need
    /// an option of the registration.
    public let isStrong: Bool

    /// Creates the support of one method.
    public init(isSupportedByHardware: Bool, isSupportedByOs: Bool, isEnrolled: Bool, isStrong: Bool = true) {
        self.isSupportedByHardware = isSupportedByHardware
        self.isSupportedByOs = isSupportedByOs
        self.isEnrolled = isEnrolled
        self.isStrong = isStrong
    }
}

/// User verification that states its machine's capabilities as well, so that an application names one thing only.
///
/// One type may be all three: then nothing is left to write but the methods.
///
/// ```swift
/// struct KioskPresence: PlatformPresence, AuthenticatorPlatform, DeviceLock {
///     let panel: Panel
///
///     func confirm(_ gate: UserGate) async throws(UserPresenceError) -> UserPresenceProof {
///         guard await panel.ask(gate) else { throw .cancelled }
///         return UserPresenceProof(gate: gate)
///     }
///
///     func enrollmentDigest() async throws(UserPresenceError) -> [UInt8] { throw .unavailable }
///
///     func support(for verification: PlatformVerification) async -> PlatformSupport {
///         verification == .devicePasscode ? .complete : .absent
///     }
///
///     func status() async -> DeviceLockStatus { .present }
/// }
/// ```
public protocol PlatformPresence: UserPresence {
    /// Verification capabilities of the machine.
    var platform: any AuthenticatorPlatform { get }
    /// Whether the machine locks itself.
    var deviceLock: any DeviceLock { get }
}

extension PlatformPresence where Self: AuthenticatorPlatform {
    /// The type itself.
    public var platform: any AuthenticatorPlatform { self }
}

extension PlatformPresence where Self: DeviceLock {
    /// The type itself.
    public var deviceLock: any DeviceLock { self }
}
