/// The text of the dialog in which the operating system asks for the passcode of the device.
public struct DevicePasscodePromptOptions: Hashable, Sendable {
    /// Reason shown to the user in the dialog.
    public let reason: String

    /// Names the text.
    public init(reason: String) { self.reason = reason }
}
