import Octets
package import StrictJSON

/// Request for a new passkey, as the server sent it: an answer is judged by it, never by what the answer repeats.
package struct CreationOffer: Hashable, Sendable {
    /// Random bytes of this ceremony, at least 16 (section 13.4.3).
    package let challenge: [UInt8]
    package let user: PasskeyUser
    package var userVerification: PasskeyDemand = .required
    /// Whether the key has to be found without a name.
    package var discoverability: PasskeyDemand = .required
    /// Credentials of the user: an authenticator that holds one makes no other.
    package var excluded: [CredentialDescriptor] = []
    /// Whether the browser makes the key beside another sign-in, without a user who is there for it (`conditional`).
    package var isConditional = false
    /// Time in milliseconds that the user has; a hint for the client.
    package var timeout = 300_000

    package init(challenge: [UInt8], user: PasskeyUser) {
        self.challenge = challenge
        self.user = user
    }

    /// PublicKeyCredentialCreationOptionsJSON (section 5.1.8), what a page hands to
    /// `PublicKeyCredential.parseCreationOptionsFromJSON()`.
    package func options(of settings: PasskeySettings) -> JSONObject {
        [
            "rp": .object(["id": .string(settings.relyingPartyID), "name": .string(settings.name)]),
            "user": .object([
                "id": .string(Base64URL.encode(user.handle)), "name": .string(user.name),
                "displayName": .string(user.displayName),
            ]),
            "challenge": .string(Base64URL.encode(challenge)),
            "pubKeyCredParams": .array(
                settings.algorithms.map {
                    .object(["type": .string(CredentialDescriptor.type), "alg": .integer($0.rawValue)])
                }),
            "timeout": .integer(timeout),
            "excludeCredentials": .array(excluded.map { .object($0.json) }),
            "authenticatorSelection": .object([
                "residentKey": .string(discoverability.rawValue),
                "requireResidentKey": .bool(discoverability == .required),
                "userVerification": .string(userVerification.rawValue),
            ]),
            "attestation": .string(settings.attestation.hasRoots ? "direct" : "none"),
            "extensions": .object(["credProps": .bool(true)]),
        ]
    }
}

/// Account that a passkey is made for (section 5.4.3).
package struct PasskeyUser: Hashable, Sendable {
    /// Bytes that name the account and nothing about the person, 1 to 64.
    package let handle: [UInt8]
    /// Name that the person signs in with.
    package let name: String
    /// Name for people.
    package let displayName: String

    package init(handle: [UInt8], name: String, displayName: String) {
        self.handle = handle
        self.name = name
        self.displayName = displayName
    }
}
