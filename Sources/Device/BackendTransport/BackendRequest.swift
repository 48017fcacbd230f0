/// One HTTP request.
package struct BackendRequest: Hashable, Sendable {
    /// What is asked for.
    package enum Method: String, Hashable, Sendable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// What is asked for.
    package var method: Method
    /// The absolute address.
    package var url: String
    /// The header fields, in order.
    package var headers: HeaderFields
    /// The body; empty for none.
    package var body: [UInt8]
    /// The most bytes of body that the response may have.
    package var responseByteLimit: Int
    /// How long the whole exchange may take.
    package var timeout: Duration

    /// Puts a request together; responses are limited to 64 KiB and one minute unless told otherwise.
    package init(
        _ method: Method, _ url: String, headers: HeaderFields = [], body: [UInt8] = [],
        responseByteLimit: Int = 64 << 10, timeout: Duration = .seconds(60)
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.responseByteLimit = responseByteLimit
        self.timeout = timeout
    }
}

extension BackendRequest {
    /// Does an exchange within ``timeout``, from its beginning to the last byte of the body.
    ///
    /// The deadlines of the libraries end with the head of a response, or count only the time between two packets.
    func withinTimeout(
        _ exchange: @escaping @Sendable () async throws -> BackendResponse
    ) async throws -> BackendResponse {
        try await withThrowingTaskGroup(of: BackendResponse.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await exchange() }
            group.addTask { [timeout] in
                try await Task.sleep(for: timeout)
                throw BackendTransportError.timedOut
            }
            guard let response = try await group.next() else { throw BackendTransportError.timedOut }
            return response
        }
    }
}
