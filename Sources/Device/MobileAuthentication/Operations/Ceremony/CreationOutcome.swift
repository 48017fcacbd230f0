/// What came of the wish for a key.
package enum CreationOutcome: Sendable {
    /// There is a key.
    case made(CreatedKey)
    /// The user has not shown that he is there.
    case refused(PresenceRefusal)
}
