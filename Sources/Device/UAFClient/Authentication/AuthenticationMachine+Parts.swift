import Authenticators
import Octets
import UAF

// Intermediate results of the machine.
extension AuthenticationMachine {
    /// Device context of the operation.
    struct DeviceContext {
        /// User who authenticates; nil until they have chosen.
        let username: UserName?
        /// The authenticators of the device.
        let authenticators: [DeviceSnapshot.Model]
        /// Keys and records that the server may reach.
        let scope: ServerScope

        var server: ServerAddress { scope.server }
    }

    /// Validated request with the facet check and the time limit.
    struct ValidatedRequest {
        let deviceContext: DeviceContext
        let request: AuthenticationRequest
        let facet: TrustedFacet
        let limit: QuestionLimit
        var transaction: TransactionText?

        var finalChallenge: FinalChallengeParameters { facet.finalChallenge(for: request.challenge) }

        func candidates(of username: UserName) -> AuthenticatorCandidates {
            AuthenticatorCandidates(
                authenticators: deviceContext.authenticators, scope: deviceContext.scope, username: username,
                facet: facet)
        }

        func response(_ assertion: [UInt8]?) -> AuthenticationResponse {
            AuthenticationResponse(
                header: request.header, finalChallenge: finalChallenge,
                assertions: assertion.map { [AuthenticatorSignAssertion(octets: $0)] } ?? [])
        }
    }

    /// Account candidate: an account with those of its keys that the server accepts.
    struct AccountCandidate {
        let validated: ValidatedRequest
        let username: UserName
        let accepted: [CredentialID]
        /// Digits that the user read on the screen where the operation was begun.
        var linkingDigits: Sensitive<String>?

        /// Whether the registration of a key was never answered.
        func isPending(_ credential: CredentialID) -> Bool {
            keys.contains { $0.id == credential && $0.state == .pending }
        }

        /// Whether the user has another key for the same authenticator, which would be removed.
        func isReplacement(_ credential: CredentialID) -> Bool {
            keys.contains { $0.id != credential && $0.id.aaid == credential.aaid && $0.state != .pending }
        }

        private var keys: [LocalCredential] { validated.deviceContext.scope.of(username).keys }
    }

    /// Selected key, with the failed verifications so far.
    struct SelectedKey {
        let validated: ValidatedRequest
        let credential: CredentialID
        let kind: AuthenticatorKind
        let linkingDigits: Sensitive<String>?
        var tries = PresenceTries()
    }

    /// The response, and the key that signed it.
    struct Answer {
        let response: AuthenticationResponse
        let server: ServerAddress
        let credential: CredentialID
        let linkingDigits: Sensitive<String>?
    }
}
