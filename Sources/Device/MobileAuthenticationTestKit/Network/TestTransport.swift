/// The way from a pretended phone to a server, as a test wants it.
public protocol TestTransport: Sendable {
    /// Answers a request.
    ///
    /// Throws a ``TestNetworkError``; every other error counts as a broken connection.
    func answer(to request: TestRequest) async throws -> TestResponse
}
