public import HardwareKeys

/// Prompt that an application shows while the sensor waits for a finger: a window, a line in a terminal.
///
/// Linux draws nothing for it. An application whose own pages say that a finger is wanted takes ``SilentFingerDialog``.
///
/// ```swift
/// struct FingerWindow: FingerDialog {
///     let window: Window
///
///     func show(_ prompt: PresencePrompt, _ progress: AsyncStream<ScanProgress>) async -> FingerDialogAnswer {
///         window.show(prompt.reason)
///         for await step in progress {
///             if case .retry = step { window.show("Once more") }
///         }
///         return .cancelled
///     }
/// }
/// ```
public protocol FingerDialog: Sendable {
    /// Shows that a finger is wanted, until the task is cancelled because the sensor has decided.
    ///
    /// Returns earlier only when the user does. The title of the fall-back is nil where there is none to offer.
    func show(_ prompt: PresencePrompt, _ progress: AsyncStream<ScanProgress>) async -> FingerDialogAnswer
}

/// Choice of a user who does not want to present a finger.
@nonexhaustive
public enum FingerDialogAnswer: Hashable, Sendable {
    /// The user does not want to be verified at all.
    case cancelled
    /// He would rather use the other method that was offered.
    case fallback
}
