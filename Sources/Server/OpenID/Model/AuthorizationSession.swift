package import ServerCore

/// Identifier of an authorization session, in the path of its page; it grants nothing without the cookie of the browser.
package typealias AuthorizationSessionID = OpaqueID<AuthorizationSession>

/// Sign-in at the provider, from the authorization request to the answer that the browser carries back.
///
/// It belongs to one browser (cookie `__Host-signet-browser`), which alone gets page, status, QR code and end.
package struct AuthorizationSession: Sendable, Hashable {
    /// Stage, in this order; it never goes back, but for a further ceremony after one that has failed.
    package enum Stage: Sendable, Hashable {
        /// The page is open and nothing is begun.
        case open
        /// A ceremony waits for the phone, or the phone has confirmed: then the code goes to the browser that comes to fetch it, once.
        case confirming(CeremonyID)
        /// The answer was handed to the browser.
        case finished

        /// The ceremony that the page shows; nil before one is begun and at the end.
        package var ceremony: CeremonyID? {
            switch self {
            case .confirming(let id): id
            case .open, .finished: nil
            }
        }
    }

    package let id: AuthorizationSessionID
    package let browser: BrowserHash
    package let parameters: AuthorizationParameters
    package var stage: Stage
    /// Number of the last code or push of this session, from 0; in the address of its QR code.
    package var round: Int
    package let createdAt: Timestamp
    /// Time after which the session is no more, ``OpenIDSettings/Provider/sessionLifetime`` after ``createdAt``.
    package let expiresAt: Timestamp
    /// Network of the browser that has opened it, see ``ServerCore/ClientContext/network``.
    package let network: String

    package init(
        id: AuthorizationSessionID, browser: BrowserHash, parameters: AuthorizationParameters, stage: Stage = .open,
        round: Int = 0, createdAt: Timestamp, expiresAt: Timestamp, network: String = ""
    ) {
        self.id = id
        self.browser = browser
        self.parameters = parameters
        self.stage = stage
        self.round = round
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.network = network
    }
    /// The session with the next ceremony.
    package func confirming(_ ceremony: CeremonyID) -> AuthorizationSession {
        var next = self
        next.stage = .confirming(ceremony)
        next.round += 1
        return next
    }
}
