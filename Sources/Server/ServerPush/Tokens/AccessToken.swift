/// What the push service takes for our identity for about an hour; secret.
struct AccessToken: Sendable {
    /// The value of `Authorization`.
    let authorization: String
    /// When it ends to be used, on the timer that was running when it came.
    let usableUntil: Duration
    /// Tells one from another.
    let number: Int
}
