import UAF

// What the machine finds out on its way.
extension AuthenticationMachine {
    /// Where the operation takes place.
    struct Ground {
        /// Who authenticates; nil while the user has not chosen.
        let username: UserName?
        /// The authenticators of the device.
        let authenticators: [DeviceSnapshot.Offer]
        /// What the server may reach.
        let scope: ServerScope

        var server: ServerAddress { scope.server }
    }

    /// A request that may be answered.
    struct Inquiry {
        let ground: Ground
        let request: AuthenticationRequest
        let facet: TrustedFacet
        let limit: QuestionLimit
        var transaction: TransactionText?

        var finalChallenge: FinalChallengeParameters { facet.finalChallenge(for: request.challenge) }

        func candidates(of username: UserName) -> AuthenticatorCandidates {
            AuthenticatorCandidates(
                authenticators: ground.authenticators, scope: ground.scope, username: username, facet: facet)
        }

        func response(_ assertion: [UInt8]?) -> AuthenticationResponse {
            AuthenticationResponse(
                header: request.header, finalChallenge: finalChallenge,
                assertions: assertion.map { [AuthenticatorSignAssertion(octets: $0)] } ?? [])
        }
    }

    /// An account, and the keys of it that the server accepts.
    struct Offer {
        let inquiry: Inquiry
        let username: UserName
        let accepted: [CredentialID]
        /// What the user read on the screen where the operation was begun.
        var linkingDigits: String?

        /// Whether the registration of a key was never answered.
        func isPending(_ credential: CredentialID) -> Bool {
            keys.contains { $0.id == credential && $0.state == .pending }
        }

        /// Whether the user has another key for the same authenticator, which would go.
        func isReplacement(_ credential: CredentialID) -> Bool {
            keys.contains { $0.id != credential && $0.id.aaid == credential.aaid && $0.state != .pending }
        }

        private var keys: [LocalCredential] { inquiry.ground.scope.of(username).keys }
    }

    /// The key that was chosen, and how the user fared with it.
    struct Choice {
        let inquiry: Inquiry
        let credential: CredentialID
        let kind: AuthenticatorAaid
        let linkingDigits: String?
        var tries = PresenceTries()
    }

    /// The response, and the key that signed it.
    struct Answer {
        let response: AuthenticationResponse
        let server: ServerAddress
        let credential: CredentialID
        let linkingDigits: String?
    }
}
