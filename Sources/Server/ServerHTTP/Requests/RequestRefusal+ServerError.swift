import ServerCore

extension RequestRefusal {
    /// The HTTP status that an error of a service gets; a UAF status travels in the answer instead.
    init(_ error: ServerError) {
        switch error {
        case .unauthorized: self = .unauthorized
        case .throttled(let wait): self = .tooManyRequests(retryAfterSeconds: Self.wholeSeconds(wait))
        case .storageUnavailable: self = .unavailable
        case .notConfigured: self = .notFound
        default: self = .failed
        }
    }

    private static func wholeSeconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return max(1, Int(clamping: seconds) + (attoseconds > 0 ? 1 : 0))
    }
}
