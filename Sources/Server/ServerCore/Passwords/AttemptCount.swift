/// Number of attempts to log in that were counted under one key.
package struct AttemptCount: Sendable, Hashable {
    /// The attempts that failed or are under way.
    package let count: Int
    package let began: Timestamp

    package init(count: Int, began: Timestamp) {
        self.count = count
        self.began = began
    }
}
