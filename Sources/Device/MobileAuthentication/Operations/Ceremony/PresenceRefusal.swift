/// Why the user has not yet shown that he is there; he is asked again.
package enum PresenceRefusal: Sendable {
    /// The finger, face or passcode was not the right one.
    case notRecognized
    /// The user chose the other way, or the proof had become too old.
    case unconfirmed
}
