package import UAF

/// Tells how the PIN of a credential stands, for the context of a question to the user.
package struct ProtectionStatusQuery: Sendable {
    private let ports: AuthenticatorPorts

    /// Works with a store and a clock.
    package init(_ ports: AuthenticatorPorts) {
        self.ports = ports
    }

    /// How many attempts are left, and how long the user has to wait.
    ///
    /// Throws ``AuthenticatorError/accessDenied`` for a credential that is not there,
    /// ``AuthenticatorError/keyDisappearedPermanently`` for an unusable one, and the errors of the store.
    package func perform(_ credential: CredentialID) throws(AuthenticatorError) -> ProtectionStatus {
        try UserVerifier(ports).status(of: credential)
    }
}
