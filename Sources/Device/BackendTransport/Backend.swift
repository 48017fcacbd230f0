/// One HTTP request.
package struct BackendRequest: Hashable, Sendable {
    /// HTTP request method.
    package enum Method: String, Hashable, Sendable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    package var method: Method
    /// The absolute address.
    package var url: String
    package var headers: HeaderFields
    package var body: [UInt8]
    package var responseByteLimit: Int
    /// Time limit of the whole exchange.
    package var timeout: Duration

    /// Creates a request; responses are limited to 64 KiB and one minute unless told otherwise.
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

extension BackendRequest: CustomStringConvertible, CustomReflectable {
    /// Method and size: address, header fields and body carry tokens.
    package var description: String { "\(method.rawValue), \(body.count) bytes" }

    /// Empty, so that reflection shows no secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension BackendRequest {
    /// Does an exchange within ``timeout``, from its beginning to the last byte of the body.
    ///
    /// The deadlines of the libraries end with the head of a response, or count only the time between two packets.
    package func withinTimeout(
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

/// One HTTP response, read to its end.
package struct BackendResponse: Hashable, Sendable {
    /// The status code; redirects are given out like every other response.
    package let status: Int
    package let headers: HeaderFields
    package let body: [UInt8]
    /// TLS facts of the connection; nil where the transport cannot tell.
    package let connection: ConnectionFacts?

    package init(status: Int, headers: HeaderFields = [], body: [UInt8] = [], connection: ConnectionFacts? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        self.connection = connection
    }
}

extension BackendResponse: CustomStringConvertible, CustomReflectable {
    /// Status and size: header fields and body carry tokens.
    package var description: String { "\(status), \(body.count) bytes" }

    /// Empty, so that reflection shows no secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Errors of an HTTP exchange that ended without a response.
@nonexhaustive
package enum BackendTransportError: Error, Hashable, Sendable {
    /// The address is not an absolute URL with a host: correct the configuration.
    case unusableAddress
    /// The address is not `https`; nothing was sent.
    case insecureAddress
    /// The host is neither loopback, private nor listed, and the debug flavour talks to no other; nothing was sent.
    case refusedHost
    /// A header field holds a character that would end it; nothing was sent.
    case unusableHeaderField
    /// The name of the server has no address: check the name, and the network of the device.
    case unknownHost
    /// No program listens at the port of the server: try again later.
    case closedPort
    /// The server could not be reached, or the connection broke: try again later.
    case noConnection
    /// There was a server, but no trustworthy connection to it; nothing was sent.
    case untrustedConnection(TLSFailure)
    case timedOut
    case responseTooLarge(limit: Int)
    case malformedResponse
    /// The trust settings are unusable (a file of certificates that cannot be read).
    case unusableTrustSettings
    case cancelled
}

extension BackendTransportError {
    /// Whether the same request may succeed later, with nothing changed here.
    package var isPassing: Bool {
        switch self {
        case .unknownHost, .closedPort, .noConnection, .timedOut, .cancelled, .untrustedConnection(.handshake): true
        case .unusableAddress, .insecureAddress, .refusedHost, .unusableHeaderField, .untrustedConnection,
            .responseTooLarge, .malformedResponse, .unusableTrustSettings:
            false
        }
    }
}

extension BackendTransportError: CustomStringConvertible {
    /// Name of the case, with its reason or limit in parentheses.
    package var description: String {
        switch self {
        case .unusableAddress: "unusableAddress"
        case .insecureAddress: "insecureAddress"
        case .refusedHost: "refusedHost"
        case .unusableHeaderField: "unusableHeaderField"
        case .unknownHost: "unknownHost"
        case .closedPort: "closedPort"
        case .noConnection: "noConnection"
        case .untrustedConnection(let failure): "untrustedConnection(\(failure.description))"
        case .timedOut: "timedOut"
        case .responseTooLarge(let limit): "responseTooLarge(limit: \(limit))"
        case .malformedResponse: "malformedResponse"
        case .unusableTrustSettings: "unusableTrustSettings"
        case .cancelled: "cancelled"
        }
    }
}
