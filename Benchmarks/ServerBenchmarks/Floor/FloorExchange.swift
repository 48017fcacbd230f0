/// How long the messages of a sign-in are, in bytes, as they were recorded from one.
enum FloorExchange {
    /// What asks for a request, and the request.
    static let request = (asked: 50, answered: 740)
    /// The phone's answer, and the verdict with its token.
    static let response = (asked: 1_250, answered: 570)
}
