import BackendAPI
import HTTPTypes

extension RequestRefusal {
    /// There is no such dispatch target, or it is another user's.
    static let targetNotFound = RequestRefusal(
        .notFound, .dispatchTargetNotFound, "There is no such dispatch target, credential or device.")
    /// Another dispatch target of the user has the name.
    static let targetNameInUse = RequestRefusal(
        .unprocessableContent, .dispatchTargetNameInUse, "Another device of the user has this name.")
    /// No such dispatcher is configured.
    static let dispatcherNotFound = RequestRefusal(
        .unprocessableContent, .dispatcherNotFound, "This dispatcher is not configured.")
    /// The request breaks a rule of the server's policy.
    static let unprocessable = RequestRefusal(
        .unprocessableContent, .forbidden, "The policy of this server does not allow this.")
    /// The header field with the signature is missing.
    static let unsigned = RequestRefusal(
        .unauthorized, .signatureInvalid, "The request has to be signed by the device.")
    /// The signature of a device does not hold, or is for another request.
    static let signatureInvalid = RequestRefusal(
        .unauthorized, .signatureInvalid, "The signature of the device does not hold.")
    /// The signed request came before.
    static let replayDetected = RequestRefusal(
        .unauthorized, .replayDetected, "This request was sent before.")
    /// The clock of the device is too far from ours; the `Date` field of the answer tells by how much.
    static let clockSkewTooBig = RequestRefusal(
        .unauthorized, .clockSkewTooBig, "The clock of the device is too far from the server's.")

    /// The user has a pending operation, or was asked too often.
    static func tooManyOperations(retryAfterSeconds: Int) -> RequestRefusal {
        var refusal = RequestRefusal(
            .tooManyRequests, .tooManyOperations, "The user cannot be asked at the moment; try again later.")
        refusal.headers[.retryAfter] = String(retryAfterSeconds)
        return refusal
    }

    /// Nothing is pushed at this time of the day.
    static func quietHours(retryAfterSeconds: Int) -> RequestRefusal {
        var refusal = RequestRefusal(
            .tooManyRequests, .quietHours, "Nothing is pushed at this time of the day; take a link or a QR code.")
        refusal.headers[.retryAfter] = String(retryAfterSeconds)
        return refusal
    }
}
