/// A platform that verifies no users.
package struct AbsentPlatform: AuthenticatorPlatform {
    /// Knows nothing.
    package init() {}

    package func support(for kind: AuthenticatorKind) async -> PlatformSupport { .absent }
}
