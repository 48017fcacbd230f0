/// The ways to answer one question; holds the handler that takes the answer.
struct Question: Sendable {
    let approve: @MainActor @Sendable () -> Void
    let deny: @MainActor @Sendable () -> Void
    /// Enters a text, or something wrong for nil.
    let enter: @MainActor @Sendable (String?) -> Void
    /// Cancels and tells the server that the user did not ask for it; cancels where that cannot be said.
    var report: (@MainActor @Sendable () -> Void)?
}

extension String {
    /// A secret that is as long as this one, of the same characters, and another: what a user mistypes.
    var mistyped: String {
        String(
            map { character in
                switch character {
                case "0"..."8": Character(UnicodeScalar((character.asciiValue ?? 0) + 1))
                case "9": "0"
                case "x": "y"
                default: "x"
                }
            })
    }
}
