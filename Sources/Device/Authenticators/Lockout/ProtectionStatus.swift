package import UAF

/// Query of the lock state of a credential's PIN or password, for the context of a prompt.
package struct ProtectionStatusQuery: Sendable {
    private let ports: AuthenticatorPorts

    package init(_ ports: AuthenticatorPorts) { self.ports = ports }

    /// Remaining attempts and cool-down of a credential; always ``ProtectionStatus/unlocked`` where the operating
    /// system verifies the user, because nothing is counted here.
    ///
    /// Throws ``AuthenticatorError/accessDenied`` for a credential that is not there,
    /// ``AuthenticatorError/keyDisappearedPermanently`` for an unusable one, and the errors of store and vault.
    package func perform(_ credential: CredentialID) async throws(AuthenticatorError) -> ProtectionStatus {
        try await SecretVerifier(ports).status(of: credential)
    }
}

/// Lock state of an authenticator after the entries so far.
package enum ProtectionStatus: Hashable, Sendable {
    /// The last entry was right, or there was none.
    case unlocked
    /// The last entry was wrong; entries during the cool-down are neither checked nor counted.
    case lastAttemptFailed(attemptsLeft: Int, coolDown: Duration)
    /// Too many wrong entries in a row; only a new registration helps.
    case lockedOut
}
