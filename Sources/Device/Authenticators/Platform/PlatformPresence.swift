package import HardwareKeys

/// A way to the user that brings along what its machine can verify, so that an application names one thing only.
package protocol PlatformPresence: UserPresence {
    /// What the machine can verify.
    var platform: any AuthenticatorPlatform { get }
    /// Whether the machine locks itself.
    var deviceLock: any DeviceLock { get }
}
