/// The texts of the dialog in which the operating system asks for a finger or a face.
public struct BiometricPromptOptions: Hashable, Sendable {
    /// Reason shown to the user in the dialog.
    public let reason: String
    /// The title of the button for another way; nil for the usual one, empty to hide the button.
    public let fallbackButtonTitle: String?
    /// The title of the button that cancels; nil for the usual one.
    public let cancelButtonTitle: String?

    /// Names the texts.
    public init(reason: String, fallbackButtonTitle: String? = nil, cancelButtonTitle: String? = nil) {
        self.reason = reason
        self.fallbackButtonTitle = fallbackButtonTitle
        self.cancelButtonTitle = cancelButtonTitle
    }
}
