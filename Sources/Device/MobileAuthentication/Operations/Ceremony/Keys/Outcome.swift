/// What came of the wish for a key.
package enum CreationOutcome: Sendable {
    /// There is a key.
    case made(CreatedKey)
    /// The user has not shown that he is there.
    case refused(PresenceRefusal)
}

/// What came of the wish for a signature.
package enum SignatureOutcome: Sendable {
    /// The authentication assertion, TLV.
    case signed(assertion: [UInt8])
    /// The secret was wrong, or was not looked at because of a cool-down.
    case refused(ProtectionReport)
    /// The user has not shown that he is there.
    case unconfirmed(PresenceRefusal)
}

/// What came of an old secret.
package enum UnlockOutcome: Sendable {
    /// It was right.
    case opened(any OpenedSecret)
    /// It was wrong, and that was counted.
    case wrong(ProtectionReport)
    /// It was not looked at, because of a cool-down or because it can be no such secret at all.
    case ignored(ProtectionReport)
}
