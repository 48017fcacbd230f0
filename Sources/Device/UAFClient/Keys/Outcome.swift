/// Result of the creation of a key.
package enum CreationOutcome: Sendable {
    case made(CreatedKey)
    /// The user has not been verified by the operating system.
    case refused(PresenceRefusal)
}

/// Result of a signature.
package enum SignatureOutcome: Sendable {
    /// The authentication assertion, TLV.
    case signed(assertion: [UInt8])
    /// The secret was wrong, or was not checked because of a cool-down.
    case refused(ProtectionReport)
    /// The user has not been verified by the operating system.
    case unconfirmed(PresenceRefusal)
}

/// Result of checking an old secret, with the proof that it was right.
package enum OldSecretOutcome<Opened: Sendable>: Sendable {
    case opened(Opened)
    /// It was wrong, and that was counted.
    case wrong(ProtectionReport)
    /// It was not checked, because of a cool-down or because it cannot be such a secret.
    case ignored(ProtectionReport)
}
