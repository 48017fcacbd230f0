#if canImport(Darwin)
    import Foundation

    /// The transport on URLSession: Apple platforms, with the system's trust and suites.
    package final class URLSessionTransport: HTTPTransport {
        private let session: URLSession

        /// Makes a transport with a session of its own, which keeps no cookies, caches or credentials.
        package init(trust: TransportTrust = TransportTrust()) {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpCookieStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.urlCache = nil
            configuration.urlCredentialStorage = nil
            configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
            session = URLSession(
                configuration: configuration, delegate: URLSessionTrust(trust), delegateQueue: nil)
        }

        deinit {
            session.finishTasksAndInvalidate()
        }

        package func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
            _ = try BackendAddress(request.url)
            try request.headers.requireUnambiguous()
            guard let url = URL(string: request.url) else { throw .unusableAddress }
            var message = URLRequest(url: url, timeoutInterval: TimeInterval(request.timeout.components.seconds))
            message.httpMethod = request.method.rawValue
            message.httpBody = request.body.isEmpty ? nil : Data(request.body)
            for field in request.headers.fields { message.addValue(field.value, forHTTPHeaderField: field.name) }
            do {
                return try await exchange(message, limit: request.responseByteLimit)
            } catch let error as BackendTransportError {
                throw error
            } catch {
                throw BackendTransportError(urlError: error)
            }
        }

        private func exchange(_ message: URLRequest, limit: Int) async throws -> BackendResponse {
            let (stream, head) = try await session.bytes(for: message)
            guard let head = head as? HTTPURLResponse else { throw BackendTransportError.malformedResponse }
            var body: [UInt8] = []
            for try await octet in stream {
                guard body.count < limit else { throw BackendTransportError.responseTooLarge(limit: limit) }
                body.append(octet)
            }
            let fields = head.allHeaderFields.compactMap { name, value in
                (name as? String).map { HeaderFields.Field($0, String(describing: value)) }
            }
            return BackendResponse(status: head.statusCode, headers: HeaderFields(fields), body: body)
        }
    }

    extension BackendTransportError {
        fileprivate init(urlError error: any Error) {
            switch (error as? URLError)?.code {
            case .cancelled: self = .cancelled
            case .timedOut: self = .timedOut
            case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
                .serverCertificateNotYetValid:
                self = .untrustedConnection(.untrustedCertificate)
            case .secureConnectionFailed: self = .untrustedConnection(.handshake)
            case .badServerResponse, .cannotParseResponse: self = .malformedResponse
            case .badURL, .unsupportedURL: self = .unusableAddress
            default: self = .noConnection
            }
        }
    }
#endif
