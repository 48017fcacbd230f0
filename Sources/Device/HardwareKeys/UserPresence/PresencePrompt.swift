/// The words in which the user is asked to show that he is there, in his language.
public struct PresencePrompt: Hashable, Sendable {
    /// Why he is asked, one sentence; what happens when he passes.
    public let reason: String
    /// The way out to another method; nil for the words of the platform, empty to offer none.
    public let fallbackTitle: String?
    /// The way out without an answer; nil for the words of the platform.
    public let cancelTitle: String?

    /// Words a question.
    public init(reason: String, fallbackTitle: String? = nil, cancelTitle: String? = nil) {
        self.reason = reason
        self.fallbackTitle = fallbackTitle
        self.cancelTitle = cancelTitle
    }
}
