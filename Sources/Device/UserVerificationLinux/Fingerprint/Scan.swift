/// Intermediate report of a scan.
@nonexhaustive
public enum ScanProgress: Hashable, Sendable {
    /// The sensor waits for a finger now.
    case ready
    /// The finger could not be read, and the sensor waits again; this is no failure.
    case retry(Reason)

    /// Reason why a finger could not be read.
    @nonexhaustive
    public enum Reason: Hashable, Sendable {
        /// Nothing more is known: once more.
        case scanAgain
        /// It was drawn over the sensor too fast.
        case swipeTooShort
        /// It was not in the middle.
        case notCentered
        /// It has to be lifted first.
        case liftFinger
    }
}

/// Result of a finger in fprintd's signal `VerifyStatus`.
enum ScanResult: Hashable, Sendable {
    case match
    case noMatch
    case retry(ScanProgress.Reason)
    case disconnected
    /// A failure of the driver, or a word of a later fprintd.
    case failed(name: String)

    init(_ word: String) {
        switch word {
        case "verify-match": self = .match
        case "verify-no-match": self = .noMatch
        case "verify-retry-scan": self = .retry(.scanAgain)
        case "verify-swipe-too-short": self = .retry(.swipeTooShort)
        case "verify-finger-not-centered": self = .retry(.notCentered)
        case "verify-remove-and-retry": self = .retry(.liftFinger)
        case "verify-disconnected": self = .disconnected
        default: self = .failed(name: word)
        }
    }
}
