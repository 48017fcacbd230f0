/// A way to the user that brings along what its machine can verify, so that an application names one thing only.
///
/// One type may be all three: then nothing is left to write but the methods.
///
/// ```swift
/// struct KioskPresence: PlatformPresence, AuthenticatorPlatform, DeviceLock { … }
/// ```
public protocol PlatformPresence: UserPresence {
    /// What the machine can verify.
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
