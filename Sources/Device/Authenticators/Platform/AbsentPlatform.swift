package import HardwareKeys

/// A platform that verifies no users.
package struct AbsentPlatform: AuthenticatorPlatform {
    package init() {}

    package func support(for verification: PlatformVerification) async -> PlatformSupport { .absent }

    package func supportAtOnce(for verification: PlatformVerification) -> PlatformSupport? { .absent }
}
