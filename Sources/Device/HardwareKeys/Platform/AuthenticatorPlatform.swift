/// A way in which the operating system verifies its user.
@nonexhaustive
public enum SystemVerification: CaseIterable, Hashable, Sendable {
    /// A finger that is enrolled in the operating system.
    case fingerprint
    /// A face that is enrolled in the operating system.
    case face
    /// The secret that unlocks the device.
    case devicePasscode
}

/// What the operating system and its sensors can do for authenticators; asks the user nothing.
public protocol AuthenticatorPlatform: Sendable {
    /// How a way of verification is supported now; it may ask a service and wait for the answer.
    func support(for verification: SystemVerification) async -> PlatformSupport

    /// The same as far as it can be told at once, on any thread; nil where finding out takes time.
    func supportAtOnce(for verification: SystemVerification) -> PlatformSupport?
}

extension AuthenticatorPlatform {
    /// Nil: finding out takes time, unless a platform says otherwise.
    public func supportAtOnce(for verification: SystemVerification) -> PlatformSupport? { nil }
}
