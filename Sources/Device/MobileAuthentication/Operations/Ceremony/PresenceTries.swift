/// How often the user has tried in vain to show that he is there, within one operation.
package struct PresenceTries: Hashable, Sendable {
    /// After so many the operation ends as locked out.
    static let limit = 5

    private var mismatches = 0
    /// Whether the last try was one with the wrong finger, face or passcode.
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
