import UAF

/// A UAF request that came without being asked for in this operation: out of band.
package struct ReceivedRequest<Request: Sendable>: Sendable {
    package let request: Request
    /// Expiry of the request on the monotonic clock; nil when the server has not said.
    package let expiry: Duration?

    package init(_ request: Request, expiry: Duration?) {
        self.request = request
        self.expiry = expiry
    }
}

/// Result of fetching a UAF request.
package enum RequestAnswer<Request: Sendable>: Sendable {
    /// A request that is valid by the rules of the protocol; `expiry` is a time on the monotonic clock.
    case request(Request, expiry: Duration?)
    /// Success, but there is nothing to do (a deregistration without keys).
    case nothingToDo
    /// The server answered, and it or its request cannot be followed.
    case refused(CeremonyFailure)
    case unreachable(any Error)
}

extension RequestAnswer {
    package var failure: CeremonyFailure {
        switch self {
        case .request: .fido(.unknown)
        case .nothingToDo: .fido(.protocolError)
        case .refused(let failure): failure
        case .unreachable(let error): .unreachable(error)
        }
    }
}
