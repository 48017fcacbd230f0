/// The text of the dialog in which the operating system asks for the passcode of the device.
public struct DevicePasscodePromptOptions: Hashable, Sendable {
    /// Why the user is asked.
    public let reason: String

    /// Names the text.
    public init(reason: String) {
        self.reason = reason
    }
}
