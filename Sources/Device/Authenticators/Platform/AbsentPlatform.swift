package import HardwareKeys

/// A platform that verifies no users.
package struct AbsentPlatform: AuthenticatorPlatform {
    /// Knows nothing.
    package init() {}

    package func support(for verification: SystemVerification) async -> PlatformSupport { .absent }

    package func supportAtOnce(for verification: SystemVerification) -> PlatformSupport? { .absent }
}

/// A device that does not tell whether it locks itself.
package struct UntoldDeviceLock: DeviceLock {
    /// Knows nothing.
    package init() {}

    package func status() async -> DeviceLockStatus { .unknown }
}
