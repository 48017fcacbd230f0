/// Result of beginning a ceremony.
package enum BeginResult: Sendable, Hashable {
    /// It is written and durable, and the ceremonies that it replaces are called off.
    case begun(superseded: [CeremonyID])
    /// The ceremony of this name, whose token no phone has redeemed, has the new token.
    case renewed(CeremonyID)
    /// The user is locked or gone.
    case userInactive
    case targetGone
    /// Another ceremony is pending until then at the latest, or a phone has the code that was to be renewed.
    case busy(until: Timestamp)
    /// The user was asked too often; the next try may be made then.
    case throttled(until: Timestamp)
    /// The user has let pushes pass; the next one may be made then.
    case backingOff(until: Timestamp)
    /// The caller has gone on without the ceremony: nothing is written.
    case overtaken
    /// Nothing is pushed at this time of the day.
    case quiet(until: Timestamp)
}
