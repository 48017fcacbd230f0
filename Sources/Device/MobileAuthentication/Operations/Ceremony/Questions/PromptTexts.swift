/// The texts of a dialog of the operating system, as the application wants them.
package struct PromptTexts: Hashable, Sendable {
    package let reason: String
    /// The title of the button for another way; nil for the usual one, empty for no button.
    package var fallbackTitle: String?
    /// The title of the button that cancels; nil for the usual one.
    package var cancelTitle: String?
}
