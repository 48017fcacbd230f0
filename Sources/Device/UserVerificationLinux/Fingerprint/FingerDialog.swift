public import HardwareKeys

/// What an application shows while the sensor waits for a finger: a window, a line in a terminal.
///
/// Linux draws nothing for it. An application whose own pages say that a finger is wanted takes ``SilentFingerDialog``.
public protocol FingerDialog: Sendable {
    /// Shows that a finger is wanted, until the task is cancelled because the sensor has decided.
    ///
    /// Returns earlier only when the user does. The title of the fall-back is nil where there is none to offer.
    func show(_ prompt: PresencePrompt, _ progress: AsyncStream<ScanProgress>) async -> FingerDialogAnswer
}

/// What a user decides who does not want to give a finger.
@nonexhaustive
public enum FingerDialogAnswer: Hashable, Sendable {
    /// He does not want to show that he is there.
    case cancelled
    /// He would rather use the other method that was offered.
    case fallback
}
