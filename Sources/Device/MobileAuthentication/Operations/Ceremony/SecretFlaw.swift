/// Why an answer with secrets was refused; the user is asked again.
package enum SecretFlaw: Sendable {
    /// The old secret was wrong.
    case wrong
    /// The new secret is the old one.
    case unchanged
    /// A PIN has something other than digits, or not so many of them.
    case malformedPin(digits: ClosedRange<Int>)
    /// A PIN is one that many people choose.
    case guessablePin
    /// A password is empty, too long, or has control characters.
    case unusablePassword
    /// The policy of the application refuses it.
    case unwanted(message: String, cause: (any Error)?)
}
