import ServerCore

extension RequestRefusal {
    /// The HTTP status that an error of a service gets; a UAF status travels in the answer instead.
    init(_ error: ServerError) {
        switch error {
        case .unauthorized: self = .unauthorized
        case .throttled(let wait): self = .tooManyRequests(retryAfterSeconds: Self.wholeSeconds(wait))
        case .overloaded(let wait): self = .overloaded(retryAfterSeconds: Self.wholeSeconds(wait))
        case .storageUnavailable: self = .unavailable
        case .notConfigured: self = .notFound
        case .malformedRequest: self = .malformed
        case .forbidden: self = .forbidden
        case .targetUnknown: self = .targetNotFound
        case .targetNameInUse: self = .targetNameInUse
        case .dispatcherUnknown: self = .dispatcherNotFound
        case .tooManyTargets, .policyViolation: self = .unprocessable
        case .signatureInvalid: self = .signatureInvalid
        case .requestReplayed: self = .replayDetected
        case .clockSkewTooBig: self = .clockSkewTooBig
        case .tooManyOperations(let wait): self = .tooManyOperations(retryAfterSeconds: Self.wholeSeconds(wait))
        case .quietHours(let wait): self = .quietHours(retryAfterSeconds: Self.wholeSeconds(wait))
        default: self = .failed
        }
    }

    private static func wholeSeconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return max(1, Int(clamping: seconds) + (attoseconds > 0 ? 1 : 0))
    }
}
