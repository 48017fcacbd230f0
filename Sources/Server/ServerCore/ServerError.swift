package import UAF

/// Error of a service, as far as the UAF status code of a response does not express it.
@nonexhaustive
package enum ServerError: Error, Hashable, Sendable {
    /// The answer carries this status code (HTTP 200); the services put it there themselves.
    case refused(StatusCode)
    /// Authorization is missing, forged, expired or of a locked user: log in and come back (HTTP 401).
    case unauthorized
    /// Too many wrong passwords: come back after the time given (HTTP 429).
    case throttled(retryAfter: Duration)
    /// More is asked for at this moment than can be done: come back after the time given (HTTP 503).
    case overloaded(retryAfter: Duration)
    /// The push service does not take the message: come back after the time given (HTTP 503); nothing has begun.
    case undelivered(retryAfter: Duration)
    /// The database does not answer or refuses: try again later (HTTP 503); nothing was granted.
    case storageUnavailable
    /// A token could not be signed; what it would have said is stored nonetheless.
    case signingFailed
    /// An answer could not be encrypted to the device; what it would have said changed nothing.
    case sealingFailed
    /// The service is not switched on in the configuration (HTTP 404).
    case notConfigured
    /// A user with this name or external id exists.
    case userExists
    /// People would take the name of a new user for this one of another.
    case nameAlike(String)
    case userUnknown
    case credentialUnknown
    /// There is no such dispatch target (HTTP 404).
    case targetUnknown
    /// Another dispatch target of the user has the name (HTTP 422).
    case targetNameInUse
    /// The user has as many dispatch targets as are allowed (HTTP 422).
    case tooManyTargets
    /// No such dispatcher is configured (HTTP 422).
    case dispatcherUnknown
    /// The caller is known but may not do this (HTTP 403).
    case forbidden
    /// A signed request does not hold: forged, of another device, or not for this service (HTTP 401).
    case signatureInvalid
    /// A signed request came before (HTTP 401).
    case requestReplayed
    /// The clock of the device is too far from ours (HTTP 401).
    case clockSkewTooBig
    /// The request is not what the service takes (HTTP 400).
    case malformedRequest
    /// The user has a pending ceremony, or was asked too often (HTTP 429).
    case tooManyOperations(retryAfter: Duration)
    /// Nothing is pushed at this time of the day; links, QR codes and asking work (HTTP 429).
    case quietHours(retryAfter: Duration)
    /// A request breaks a rule of the server's policy (HTTP 422).
    case policyViolation
    /// A name is empty, longer than 128 characters, or breaks the rule of ``ShownText``.
    case invalidName
    /// A password is empty or longer than 1024 bytes.
    case invalidPassword
    /// The master key does not open a stored key: it is not the one the database was made with.
    case wrongMasterKey
    /// The master key does not have 32 bytes.
    case invalidMasterKey
    /// Metadata cannot be used: correct the document. `name` is the document's name, not its content.
    case invalidMetadata(name: String, MetadataProblem)
    /// A setting contradicts the rules; `name` is the setting's name.
    case invalidSetting(name: String)
}

extension ServerError {
    /// Whether nothing was judged, since the server could not: the same request may be sent again.
    package var isWithoutVerdict: Bool {
        if case .overloaded = self { return true }
        return self == .storageUnavailable
    }
}
