/// What came of a PIN that was entered to sign.
package enum SignatureOutcome: Sendable {
    /// The authentication assertion, TLV.
    case signed(assertion: [UInt8])
    /// The PIN was wrong, or was not looked at because of a cool-down.
    case refused(ProtectionReport)
}
