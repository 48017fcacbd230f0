/// What a scan tells before it ends.
@nonexhaustive
public enum ScanProgress: Hashable, Sendable {
    /// The sensor waits for a finger now.
    case ready
    /// The finger could not be read, and the sensor waits again; this is no failure.
    case retry(Reason)

    /// Why a finger could not be read.
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
