import Octets
package import UAF

/// Token that a phone redeems for a UAF request: 128 random bits, good for one time and a short while.
///
/// It is written in the form of a UUID, which applications expect, but every bit of it is random. The server keeps its
/// hash only.
package struct RedeemableToken: Sendable {
    /// Text form that is sent, 36 characters.
    package var text: String { sensitiveText.reveal() }
    private let sensitiveText: Sensitive<String>

    package init(from random: some RandomSource) {
        let digits = Array(Hex.encode(random.bytes(count: 16)).utf8)
        let groups = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
        sensitiveText = Sensitive(groups.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-"))
    }

    /// Hash that the server stores instead of the text.
    package var hash: RedeemTokenHash { Self.hash(ofText: text) }

    package static func hash(ofText text: String) -> RedeemTokenHash { RedeemTokenHash(of: text.utf8) }
}

/// Reason to refuse the redemption of a token.
package enum RedeemRefusal: String, Error, Sendable, Hashable, CaseIterable {
    /// The server never made such a token, or it is long forgotten.
    case unknown
    /// It was made for another operation than the path names.
    case otherOperation
    case alreadyRedeemed
    case expired
    /// The ceremony was called off: replaced by another, never sent, or its target removed.
    case cancelled
    /// The user is locked or gone.
    case userInactive
    /// The user's logins were ended since it was begun, or the one on the strength of which it was begun.
    case loginEnded

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

/// Addresses at which a phone redeems a token, by operation; the server's own service where nothing is said.
package struct RedeemAddresses: Sendable, Hashable {
    /// For registrations; nil: the server's own service.
    package var registration: String?
    /// For authentications; nil: the server's own service.
    package var authentication: String?
    /// For deregistrations; nil: the server's own service.
    package var deregistration: String?

    package init() {}

    /// The absolute URL that goes into the payload; `origin` is where clients reach the server.
    package func address(for operation: OperationKind, origin: String) -> String {
        switch operation {
        case .registration: registration ?? origin + "/nevisfido/token/redeem/registration"
        case .authentication: authentication ?? origin + "/nevisfido/token/redeem/authentication"
        case .deregistration: deregistration ?? origin + "/nevisfido/token/redeem/deregistration"
        }
    }
}
