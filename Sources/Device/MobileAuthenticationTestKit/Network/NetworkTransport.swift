import BackendTransport
public import MobileAuthentication

/// The real network with TLS, for tests that put faults in front of a real server.
public struct NetworkTransport: TestTransport {
    private let transport: any HTTPTransport

    /// The platform's own transport, with the trust that a configuration asks for.
    ///
    /// `folder` takes every exchange as a pair of files, without the secrets of the transport; it is made when it is
    /// missing. Throws `InitializationError` when a pin or certificate of the configuration is unusable.
    public init(for configuration: Configuration, recordingInto folder: String? = nil) throws(InitializationError) {
        let network = try PlatformTransport.make(for: configuration)
        transport = folder.map { RecordingTransport(network, intoFolderAt: $0) } ?? network
    }

    /// Sends the request.
    ///
    /// Throws a ``TestNetworkError``.
    public func answer(to request: TestRequest) async throws -> TestResponse {
        guard let method = BackendRequest.Method(rawValue: request.method) else { throw TestNetworkError.noConnection }
        let headers = HeaderFields(request.headers.map { HeaderFields.Field($0.name, $0.value) })
        let response: BackendResponse
        do throws(BackendTransportError) {
            response = try await transport.response(
                to: BackendRequest(method, request.url, headers: headers, body: request.body))
        } catch .timedOut {
            throw TestNetworkError.timedOut
        } catch {
            throw TestNetworkError.noConnection
        }
        return TestResponse(
            status: response.status, headers: response.headers.fields.map { TestRequest.Header($0.name, $0.value) },
            body: response.body)
    }
}
