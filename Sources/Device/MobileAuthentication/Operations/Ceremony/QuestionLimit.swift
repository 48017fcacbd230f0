/// How long a question to the user may stand.
package struct QuestionLimit: Hashable, Sendable {
    /// When the server stops waiting, on the monotonic clock; nil when the server has not said.
    package let expiry: Duration?
    /// What a cool-down adds to the time for the answer.
    package let coolDown: Duration

    package init(expiry: Duration?, coolDown: Duration = .zero) {
        self.expiry = expiry
        self.coolDown = coolDown
    }
}
