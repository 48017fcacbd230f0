/// Sizes of a sign-in's messages in bytes, as recorded from one.
enum FloorExchange {
    /// Request for a ceremony, and its response.
    static let request = (asked: 50, answered: 740)
    /// UAF response of the phone, and the result with its token.
    static let response = (asked: 1_250, answered: 570)
}
