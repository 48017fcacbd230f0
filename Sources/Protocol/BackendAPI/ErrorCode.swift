import Octets

/// Stable identifier of an error response; unknown codes survive decoding.
///
/// Members, limits and errors: `docs/web/http-api.md`.
public struct ErrorCode: RawRepresentable, Hashable, Sendable {
    /// The spelling on the wire.
    public let rawValue: String

    /// Accepts spellings that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    // MARK: Codes that clients act on

    /// The clock of the device is too far from the server's (401).
    public static let clockSkewTooBig = ErrorCode(rawValue: "clockSkewTooBig")
    /// Another dispatch target of the user has the name already (422).
    public static let dispatchTargetNameInUse = ErrorCode(rawValue: "dispatchTargetNameInUse")
    /// There is no such dispatch target (404).
    public static let dispatchTargetNotFound = ErrorCode(rawValue: "dispatchTargetNotFound")
    /// The signature of a request does not hold (401).
    public static let signatureInvalid = ErrorCode(rawValue: "signatureInvalid")
    /// A signed request came a second time (401).
    public static let replayDetected = ErrorCode(rawValue: "replayDetected")

    /// The user has a pending ceremony that another initiator began, or was asked too often (429).
    public static let tooManyOperations = ErrorCode(rawValue: "tooManyOperations")

    /// Nothing is pushed at this time of the day (429).
    public static let quietHours = ErrorCode(rawValue: "quietHours")

    /// The server has too much to do (503): it has not begun with the request and never will, so that the same request may be
    /// sent again after the time in `Retry-After`, whatever it asks for.
    public static let overloaded = ErrorCode(rawValue: "overloaded")

    // MARK: Codes for diagnosis

    /// The body cannot be read (400).
    public static let malformedRequest = ErrorCode(rawValue: "malformedRequest")
    /// The authorization is missing or does not hold (401).
    public static let unauthorized = ErrorCode(rawValue: "unauthorized")
    /// The request is not allowed here (403).
    public static let forbidden = ErrorCode(rawValue: "forbidden")
    /// The named dispatcher is not configured (422).
    public static let dispatcherNotFound = ErrorCode(rawValue: "dispatcherNotFound")
    /// There is no such user (403).
    public static let userNotFound = ErrorCode(rawValue: "userNotFound")
    /// No authenticator of the user can do what is asked (422).
    public static let noSuitableAuthenticator = ErrorCode(rawValue: "noSuitableAuthenticator")
    /// The channel is one that this server does not offer (422).
    public static let channelNotOffered = ErrorCode(rawValue: "channelNotOffered")
    /// The access key lacks the scope of the service (403).
    public static let insufficientScope = ErrorCode(rawValue: "insufficientScope")
    /// The idempotency key came with another request before (422).
    public static let idempotencyKeyReused = ErrorCode(rawValue: "idempotencyKeyReused")
    /// The first request with this idempotency key is still being answered (409).
    public static let requestInProgress = ErrorCode(rawValue: "requestInProgress")
    /// There is nothing at this path (404).
    public static let notFound = ErrorCode(rawValue: "notFound")
    /// The path takes other methods (405).
    public static let methodNotAllowed = ErrorCode(rawValue: "methodNotAllowed")
    /// The service cannot answer with an acceptable type (406).
    public static let notAcceptable = ErrorCode(rawValue: "notAcceptable")
    /// The request took too long (408).
    public static let requestTimeout = ErrorCode(rawValue: "requestTimeout")
    /// The body is longer than the service takes (413).
    public static let bodyTooLarge = ErrorCode(rawValue: "bodyTooLarge")
    /// The service does not take this content type (415).
    public static let unsupportedMediaType = ErrorCode(rawValue: "unsupportedMediaType")
    /// Too many requests came from here (429).
    public static let tooManyRequests = ErrorCode(rawValue: "tooManyRequests")
    /// The server failed (500).
    public static let internalError = ErrorCode(rawValue: "internalError")
    /// The server cannot serve at the moment (503).
    public static let unavailable = ErrorCode(rawValue: "unavailable")

    /// Whether both are spelled with the same bytes.
    public static func == (one: ErrorCode, other: ErrorCode) -> Bool { one.rawValue.hasSameOctets(as: other.rawValue) }

    /// Feeds the bytes of the spelling to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(Array(rawValue.utf8)) }
}
