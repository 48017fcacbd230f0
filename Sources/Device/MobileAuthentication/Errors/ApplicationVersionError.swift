// swift-format-ignore: AlwaysUseLowerCamelCase
/// Failure of an ``ApplicationVersionCheck``; whether the application goes on without an answer, it decides by itself.
@nonexhaustive
public enum ApplicationVersionError: MobileAuthenticationClientError {
    /// No connection, no trusted TLS, time-out, or an unexpected HTTP status (then the cause is ``HTTPStatusError``).
    case NetworkError(cause: (any Error)?)
    /// The server has nothing to say about this application, or does not have the service.
    case UnknownApplication(cause: (any Error)?)
    /// The answer is not signed by the server, is about another application or version, or is too old: a cache has kept it for
    /// too long, or the clock of the device is wrong.
    case InvalidAnswer(cause: (any Error)?)
    /// Everything else: cancellation, and wrong use (then the cause is ``InvalidParameterError`` or a sibling).
    case Unknown(cause: (any Error)?)
}

extension ApplicationVersionError: FactualError {
    var facts: ErrorFacts {
        switch self {
        case .NetworkError(let cause): (2, .network(cause), cause)
        case .UnknownApplication(let cause): (7, .unsupportedByServer, cause)
        case .InvalidAnswer(let cause): (50, .unexpectedAnswer, cause)
        case .Unknown(let cause): (99, .failed, cause)
        }
    }
}
