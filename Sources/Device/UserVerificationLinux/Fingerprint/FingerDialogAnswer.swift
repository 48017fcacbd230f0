/// What a user decides who does not want to give a finger.
@nonexhaustive
public enum FingerDialogAnswer: Hashable, Sendable {
    /// He does not want to show that he is there.
    case cancelled
    /// He would rather use the other method that was offered.
    case fallback
}
