import Testing

@testable import Authenticators

extension CredentialRecord {
    /// How the secret of the key is derived; an error for a key without one.
    var record: SecretRecord {
        get throws { try #require(secretLock).record }
    }

    /// How long the user has to wait; an error for a key without a secret.
    var lockout: LockoutState {
        get throws { try #require(secretLock).lockout }
    }
}
