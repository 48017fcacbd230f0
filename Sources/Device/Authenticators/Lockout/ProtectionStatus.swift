package import UAF

/// Tells how the PIN or password of a credential stands, for the context of a question to the user.
package struct ProtectionStatusQuery: Sendable {
    private let ports: AuthenticatorPorts

    /// Works with a store, a vault and a clock.
    package init(_ ports: AuthenticatorPorts) {
        self.ports = ports
    }

    /// How many attempts are left, and how long the user has to wait; a credential that the operating system verifies the
    /// user for is always ``ProtectionStatus/unlocked``, because nothing is counted here.
    ///
    /// Throws ``AuthenticatorError/accessDenied`` for a credential that is not there,
    /// ``AuthenticatorError/keyDisappearedPermanently`` for an unusable one, and the errors of store and vault.
    package func perform(_ credential: CredentialID) async throws(AuthenticatorError) -> ProtectionStatus {
        try await SecretVerifier(ports).status(of: credential)
    }
}

/// How an authenticator stands after what has been entered so far.
package enum ProtectionStatus: Hashable, Sendable {
    /// The last entry was right, or there was none.
    case unlocked
    /// The last entry was wrong; entries during the cool-down are neither checked nor counted.
    case lastAttemptFailed(attemptsLeft: Int, coolDown: Duration)
    /// Too many wrong entries in a row; only a new registration helps.
    case lockedOut
}
