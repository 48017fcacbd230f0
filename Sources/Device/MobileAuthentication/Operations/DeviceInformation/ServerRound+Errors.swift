import UAFClient

// The public errors of operations with every server of this device.

extension PendingOutOfBandOperationsError {
    /// The public form of what a server refused.
    init<Body>(_ refusal: ServerRound<Body>.Refusal) {
        let server = refusal.server.map { RegisteredServer(baseUrl: $0.url) }
        guard let server else {
            self = refusal.refusal.withoutServer(noDeviceLock: .NoDeviceLockError(cause: nil)) {
                .Unknown(server: nil, cause: $0)
            }
            return
        }
        self =
            switch refusal.refusal {
            case .notAccepted(let cause), .forbidden(let cause): .Forbidden(server: server, cause: cause)
            case .clockSkew(let cause): .ClockSkewTooBig(server: server, cause: cause)
            case .unsupported(let cause): .OperationNotSupportedByBackend(server: server, cause: cause)
            case .unknown(let cause), .nameInUse(let cause): .NetworkError(server: server, cause: cause)
            case .failed(.network(let cause)): .NetworkError(server: server, cause: cause.publicForm)
            case .failed(let failure): .Unknown(server: server, cause: failure.publicCause)
            }
    }
}

extension DeviceInformationCheckError {
    /// The public form of what a server refused.
    init<Body>(_ refusal: ServerRound<Body>.Refusal) {
        let server = refusal.server.map { RegisteredServer(baseUrl: $0.url) }
        guard let server else {
            self = refusal.refusal.withoutServer(noDeviceLock: .NoDeviceLockError(cause: nil)) {
                .Unknown(server: nil, cause: $0)
            }
            return
        }
        self =
            switch refusal.refusal {
            case .notAccepted(let cause), .forbidden(let cause): .Forbidden(server: server, cause: cause)
            case .clockSkew(let cause): .ClockSkewTooBig(server: server, cause: cause)
            case .unsupported(let cause): .OperationNotSupportedByBackend(server: server, cause: cause)
            case .unknown(let cause), .nameInUse(let cause): .NetworkError(server: server, cause: cause)
            case .failed(.network(let cause)): .NetworkError(server: server, cause: cause.publicForm)
            case .failed(let failure): .Unknown(server: server, cause: failure.publicCause)
            }
    }
}

extension DeviceInformationSyncError {
    /// The public form of what a server refused.
    init<Body>(_ refusal: ServerRound<Body>.Refusal) {
        let server = refusal.server.map { RegisteredServer(baseUrl: $0.url) }
        guard let server else {
            self = refusal.refusal.withoutServer(noDeviceLock: .NoDeviceLockError(cause: nil)) {
                .Unknown(server: nil, cause: $0)
            }
            return
        }
        self =
            switch refusal.refusal {
            case .notAccepted(let cause), .forbidden(let cause): .Forbidden(server: server, cause: cause)
            case .clockSkew(let cause): .ClockSkewTooBig(server: server, cause: cause)
            case .unsupported(let cause): .OperationNotSupportedByBackend(server: server, cause: cause)
            case .unknown(let cause), .nameInUse(let cause): .NetworkError(server: server, cause: cause)
            case .failed(.network(let cause)): .NetworkError(server: server, cause: cause.publicForm)
            case .failed(let failure): .Unknown(server: server, cause: failure.publicCause)
            }
    }
}

extension DeviceRefusal {
    /// The public form of a failure before any server was asked.
    fileprivate func withoutServer<PublicError>(
        noDeviceLock: PublicError, _ unknown: ((any Error)?) -> PublicError
    ) -> PublicError {
        if case .failed(.noDeviceLock) = self { return noDeviceLock }
        return unknown(failure.publicCause)
    }
}
