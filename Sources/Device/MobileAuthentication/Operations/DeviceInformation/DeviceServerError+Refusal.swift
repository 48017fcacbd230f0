import UAFClient

extension DeviceServerError {
    init<Body>(_ refusal: ServerFanOut<Body>.Refusal) {
        guard let server = refusal.server.map({ RegisteredServer(baseUrl: $0.url) }) else {
            if case .failed(.noDeviceLock) = refusal.refusal {
                self = .NoDeviceLockError(cause: nil)
            } else {
                self = .Unknown(server: nil, cause: refusal.refusal.failure.publicCause)
            }
            return
        }
        self =
            switch refusal.refusal {
            case .notAccepted(let cause), .forbidden(let cause): .Forbidden(server: server, cause: cause)
            case .clockSkew(let cause): .ClockSkewTooBig(server: server, cause: cause)
            case .unsupported(let cause): .OperationNotSupportedByBackend(server: server, cause: cause)
            case .nameInUse(let cause): .NameAlreadyExists(server: server, cause: cause)
            case .unknown(let cause): .NetworkError(server: server, cause: cause)
            case .failed(.device(let distrust as DistrustedDevice)):
                .DeviceProtectionError(server: server, cause: distrust.cause)
            case .failed(.network(let cause)): .NetworkError(server: server, cause: cause.publicForm)
            case .failed(let failure): .Unknown(server: server, cause: failure.publicCause)
            }
    }
}
