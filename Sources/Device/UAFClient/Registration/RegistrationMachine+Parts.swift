import Authenticators
import UAF

// Intermediate results of the machine, with the questions and effects that follow from them.
extension RegistrationMachine {
    /// Validated request, with everything that was found out about it.
    struct ValidatedRequest {
        let request: RegistrationRequest
        let finalChallenge: FinalChallengeParameters
        let limit: QuestionLimit
        let accepted: [AuthenticatorCandidates.Registrable]

        func response(_ assertion: [UInt8]?) -> RegistrationResponse {
            RegistrationResponse(
                header: request.header, finalChallenge: finalChallenge,
                assertions: assertion.map { [AuthenticatorRegistrationAssertion(octets: $0)] } ?? [])
        }

        /// The authenticator that the user chose; nil for one that was not offered.
        func authenticator(ofModel text: String) -> SelectedAuthenticator? {
            guard let aaid = AAID(text), let authenticator = accepted.first(where: { $0.aaid == aaid }),
                let kind = aaid.kind
            else { return nil }
            return SelectedAuthenticator(validated: self, authenticator: authenticator, kind: kind)
        }
    }

    /// Selected authenticator, with the state of its verification.
    struct SelectedAuthenticator {
        let validated: ValidatedRequest
        let authenticator: AuthenticatorCandidates.Registrable
        let kind: AuthenticatorKind
        var tries = PresenceTries()

        func question(_ kind: SecretKind, flaw: SecretFlaw?) -> EnrollmentQuestion {
            EnrollmentQuestion(
                kind: kind, username: validated.request.username, flaw: flaw, limit: validated.limit)
        }

        var presenceQuestion: PresenceQuestion {
            PresenceQuestion(
                aaid: authenticator.aaid, authenticator: kind, wasMismatch: tries.lastWasMismatch,
                limit: validated.limit)
        }

        func key(at server: ServerAddress, _ choices: VerificationChoices) -> KeyParameters {
            KeyParameters(
                aaid: authenticator.aaid, username: validated.request.username, server: server,
                appID: validated.finalChallenge.appID, finalChallenge: validated.finalChallenge,
                acceptedAlgorithms: authenticator.algorithms, choices: choices,
                demandsAttestation: validated.request.header.demandsKeyAttestation)
        }
    }

    /// User for whom the server does not know the device yet, and the authorization that it has issued.
    struct Introduction {
        let username: UserName
        let issued: Values.Authorization?
    }
}
