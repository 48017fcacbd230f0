import BackendTransport

/// Adapter that sends the SDK's requests over the transport of a test.
struct TransportAdapter: HTTPTransport {
    let transport: any TestTransport

    func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
        let headers = request.headers.fields.map { TestRequest.Header($0.name, $0.value) }
        let answer: TestResponse
        do {
            answer = try await transport.answer(
                to: TestRequest(
                    method: request.method.rawValue, url: request.url, headers: headers, body: request.body))
        } catch TestNetworkError.timedOut {
            throw .timedOut
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw .noConnection
        }
        guard answer.body.count <= request.responseByteLimit else {
            throw .responseTooLarge(limit: request.responseByteLimit)
        }
        return BackendResponse(
            status: answer.status, headers: HeaderFields(answer.headers.map { HeaderFields.Field($0.name, $0.value) }),
            body: answer.body)
    }
}
