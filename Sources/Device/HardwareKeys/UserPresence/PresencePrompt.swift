/// Text of a user verification prompt, in the user's language.
public struct PresencePrompt: Hashable, Sendable {
    /// Reason for the prompt, one sentence; what happens when the user passes.
    public let reason: String
    /// Title of the button for another method; nil for the text of the platform, empty to offer none.
    public let fallbackTitle: String?
    /// Title of the button that cancels; nil for the text of the platform.
    public let cancelTitle: String?

    /// Words a question.
    public init(reason: String, fallbackTitle: String? = nil, cancelTitle: String? = nil) {
        self.reason = reason
        self.fallbackTitle = fallbackTitle
        self.cancelTitle = cancelTitle
    }
}
