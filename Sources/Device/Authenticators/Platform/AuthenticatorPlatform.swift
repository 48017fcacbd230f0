/// What the operating system and its sensors can do for authenticators; asks the user nothing.
package protocol AuthenticatorPlatform: Sendable {
    /// How a kind that the operating system verifies is supported now.
    ///
    /// It is not asked about ``AuthenticatorKind/pin`` and ``AuthenticatorKind/password``.
    func support(for kind: AuthenticatorKind) async -> PlatformSupport
}
