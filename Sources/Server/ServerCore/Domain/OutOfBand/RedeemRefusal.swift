package import UAF

/// Why a token is not exchanged for a request.
package enum RedeemRefusal: String, Error, Sendable, Hashable, CaseIterable {
    /// Nobody has made such a token, or it is long forgotten.
    case unknown
    /// It was made for another operation than the path names.
    case otherOperation
    /// Somebody was there before.
    case alreadyRedeemed
    /// It came too late.
    case expired
    /// The operation was called off: replaced by another, never sent, or its target removed.
    case cancelled
    /// The user is locked or gone.
    case userInactive
    /// The login on the strength of which the operation was begun does not hold any more.
    case loginEnded

    /// The status code of the answer (`backend-http-api` 2.5).
    package var statusCode: StatusCode {
        switch self {
        case .unknown, .cancelled: .notFound
        case .otherOperation: .badRequest
        case .alreadyRedeemed: .requestInvalid
        case .expired: .requestTimeout
        case .userInactive: .forbidden
        case .loginEnded: .unauthorized
        }
    }
}
