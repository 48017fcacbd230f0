import BackendTransport

/// HTTP transport with a stopwatch.
struct TimedTransport: HTTPTransport {
    let transport: any HTTPTransport
    let watch: Stopwatch

    func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
        try await watch.measure { () async throws(BackendTransportError) in
            try await transport.response(to: request)
        }
    }
}
