/// Reason why the user has not yet been verified by the operating system; they are asked again.
package enum PresenceRefusal: Sendable {
    case notRecognized
    /// The user chose the fallback of the dialog, or the proof had become too old.
    case unconfirmed
}

/// Counter of failed verifications by the operating system, within one operation.
package struct PresenceTries: Hashable, Sendable {
    /// Number of mismatches with which the operation ends as locked out.
    static let limit = 5

    private var mismatches = 0
    private(set) var lastWasMismatch = false

    /// Counts a refusal; false when there were too many.
    mutating func count(_ refusal: PresenceRefusal) -> Bool {
        switch refusal {
        case .unconfirmed: lastWasMismatch = false
        case .notRecognized:
            lastWasMismatch = true
            mismatches += 1
        }
        return mismatches < Self.limit
    }
}
