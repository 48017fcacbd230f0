import Octets
package import StrictJSON

/// Request for a signature with a passkey, as the server sent it.
package struct RequestOffer: Hashable, Sendable {
    /// Random bytes of this ceremony, at least 16 (section 13.4.3).
    package let challenge: [UInt8]
    package var userVerification: PasskeyDemand = .required
    /// Handle of the user who is known already; nil when the passkey says who it is.
    package var user: [UInt8]?
    /// Credentials that may answer; none leaves the choice to the user.
    package var allowed: [CredentialDescriptor] = []
    /// Time in milliseconds that the user has; a hint for the client.
    package var timeout = 300_000

    package init(challenge: [UInt8]) {
        self.challenge = challenge
    }

    /// PublicKeyCredentialRequestOptionsJSON (section 5.1.9), what a page hands to
    /// `PublicKeyCredential.parseRequestOptionsFromJSON()`.
    package func options(of settings: PasskeySettings) -> JSONObject {
        [
            "challenge": .string(Base64URL.encode(challenge)),
            "timeout": .integer(timeout),
            "rpId": .string(settings.relyingPartyID),
            "allowCredentials": .array(allowed.map { .object($0.json) }),
            "userVerification": .string(userVerification.rawValue),
        ]
    }
}
