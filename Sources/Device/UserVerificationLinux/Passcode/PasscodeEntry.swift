public import HardwareKeys

/// The place where a user types the passcode of his device: a window, a terminal.
public protocol PasscodeEntry: Sendable {
    /// Asks for the passcode in these words; ends when its task is cancelled.
    ///
    /// Throws ``HardwareKeys/UserPresenceError/cancelled`` when the user does not want to, and
    /// ``HardwareKeys/UserPresenceError/mismatch`` when what he typed cannot be a passcode.
    func passcode(_ prompt: PresencePrompt) async throws(UserPresenceError) -> Passcode
}
