import BackendAPI
import HTTPTypes
import ServerCore

extension RequestRefusal {
    /// The HTTP status that an error of a service gets; a UAF status code is sent in the body instead.
    init(_ error: ServerError) {
        switch error {
        case .unauthorized: self = .unauthorized
        case .throttled(let wait): self = .tooManyRequests(retryAfterSeconds: Self.wholeSeconds(wait))
        case .overloaded(let wait): self = .overloaded(retryAfterSeconds: Self.wholeSeconds(wait))
        case .undelivered(let wait): self = .undelivered(retryAfterSeconds: Self.wholeSeconds(wait))
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
        // A service that speaks UAF has put the status into the body; commands and settings make the others.
        case .refused, .signingFailed, .sealingFailed, .userExists, .nameAlike, .userUnknown, .credentialUnknown,
            .invalidName,
            .invalidPassword, .wrongMasterKey, .invalidMasterKey, .invalidMetadata, .invalidSetting:
            self = .failed
        }
    }

    private static func wholeSeconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return max(1, Int(clamping: seconds) + (attoseconds > 0 ? 1 : 0))
    }
}

extension RequestRefusal {
    /// There is no such dispatch target, or it is another user's.
    static let targetNotFound = RequestRefusal(
        .notFound, .dispatchTargetNotFound, "There is no such dispatch target, credential or device.")
    static let targetNameInUse = RequestRefusal(
        .unprocessableContent, .dispatchTargetNameInUse, "Another device of the user has this name.")
    static let dispatcherNotFound = RequestRefusal(
        .unprocessableContent, .dispatcherNotFound, "This dispatcher is not configured.")
    static let unprocessable = RequestRefusal(
        .unprocessableContent, .forbidden, "The policy of this server does not allow this.")
    static let unsigned = RequestRefusal(
        .unauthorized, .signatureInvalid, "The request has to be signed by the device.")
    /// The signature of a device does not hold, or is for another request.
    static let signatureInvalid = RequestRefusal(
        .unauthorized, .signatureInvalid, "The signature of the device does not hold.")
    static let replayDetected = RequestRefusal(
        .unauthorized, .replayDetected, "This request was sent before.")
    /// The clock of the device is too far from ours; the `Date` field of the answer tells by how much.
    static let clockSkewTooBig = RequestRefusal(
        .unauthorized, .clockSkewTooBig, "The clock of the device is too far from the server's.")

    /// The user has a pending ceremony, or was asked too often.
    static func tooManyOperations(retryAfterSeconds: Int) -> RequestRefusal {
        var refusal = RequestRefusal(
            .tooManyRequests, .tooManyOperations, "The user cannot be asked at the moment; try again later.")
        refusal.headers[.retryAfter] = String(retryAfterSeconds)
        return refusal
    }

    /// The push service takes nothing at the moment.
    static func undelivered(retryAfterSeconds: Int) -> RequestRefusal {
        var refusal = RequestRefusal(
            .serviceUnavailable, .unavailable,
            "The push service does not take the message; take a link or a QR code, or try again later.")
        refusal.headers[.retryAfter] = String(retryAfterSeconds)
        return refusal
    }

    static func quietHours(retryAfterSeconds: Int) -> RequestRefusal {
        var refusal = RequestRefusal(
            .tooManyRequests, .quietHours, "Nothing is pushed at this time of the day; take a link or a QR code.")
        refusal.headers[.retryAfter] = String(retryAfterSeconds)
        return refusal
    }
}
