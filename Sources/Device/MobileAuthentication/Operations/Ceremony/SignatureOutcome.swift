/// What came of the wish for a signature.
package enum SignatureOutcome: Sendable {
    /// The authentication assertion, TLV.
    case signed(assertion: [UInt8])
    /// The secret was wrong, or was not looked at because of a cool-down.
    case refused(ProtectionReport)
    /// The user has not shown that he is there.
    case unconfirmed(PresenceRefusal)
}
