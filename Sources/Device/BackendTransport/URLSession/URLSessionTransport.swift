import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The transport on URLSession: Apple platforms, with the system's trust and suites.
///
/// On Linux it works with the issuers of the system only, for tests: the system's library there knows neither further
/// issuers nor pins, and a trust that asks for them is refused.
package final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    let tasks: URLSessionTasks

    /// Makes a transport with a separate session, which keeps no cookies, caches or credentials.
    package init(trust: TransportTrust = TransportTrust()) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        #if canImport(Darwin)
            configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
        #endif
        tasks = URLSessionTasks(trust)
        session = URLSession(configuration: configuration, delegate: tasks, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    package func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
        let address = try BackendAddress(request.url)
        // The address that the connection goes to is not told before the request is sent.
        guard tasks.trust.issuers.admits(address.host) else { throw .refusedHost }
        try request.headers.requireUnambiguous()
        guard canHonour(tasks.trust) else { throw .unusableTrustSettings }
        return try await exchange(request)
    }

    /// The exchange itself; whether the address may be asked at all was judged before.
    func exchange(_ request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
        guard let url = URL(string: request.url) else { throw .unusableAddress }
        // The deadline below counts, not the system's own minute between two packets.
        var message = URLRequest(url: url, timeoutInterval: TimeInterval(request.timeout.components.seconds) + 60)
        message.httpMethod = request.method.rawValue
        message.httpBody = request.body.isEmpty ? nil : Data(request.body)
        for field in request.headers.fields { message.addValue(field.value, forHTTPHeaderField: field.name) }
        let whole = message
        do {
            return try await request.withinTimeout { [self] in try await outcome(of: whole, request.responseByteLimit) }
        } catch {
            throw Task.isCancelled ? .cancelled : (error as? BackendTransportError) ?? .noConnection
        }
    }

    private func outcome(of message: URLRequest, _ byteLimit: Int) async throws -> BackendResponse {
        let task = session.dataTask(with: message)
        let outcomes = tasks.outcomes(of: task, byteLimit: byteLimit)
        // Of no effect on a task that has ended.
        defer { task.cancel() }
        task.resume()
        for await outcome in outcomes { return try outcome.get() }
        throw BackendTransportError.cancelled
    }

    private func canHonour(_ trust: TransportTrust) -> Bool {
        #if canImport(Darwin)
            true
        #else
            trust.issuers == .known && trust.additionalCertificates.isEmpty && trust.pins.isEmpty
        #endif
    }
}
