import Authenticators
import Octets
import UAF

// Intermediate results of the machine, with the questions and effects that follow from them.
extension AuthenticationMachine {
    /// Device context of the operation.
    struct DeviceContext {
        /// User who authenticates; nil until they have chosen.
        let username: UserName?
        let authenticators: [DeviceSnapshot.Model]
        let scope: ServerScope

        var server: ServerAddress { scope.server }

        /// Takes the server where the user has a key that may sign.
        init(_ username: UserName, on device: DeviceSnapshot) throws(CeremonyFailure) {
            guard let scope = device.home(of: username) else {
                throw .fido(.noSuitableAuthenticator, cause: CeremonyFault.unregisteredUser)
            }
            let isUsable = scope.of(username).keys.contains { $0.state != .unusable }
            guard isUsable else { throw .fido(.keyDisappearedPermanently) }
            guard scope.server.isSecure else { throw .network(CeremonyFault.insecureAddress) }
            self.username = username
            authenticators = device.models
            self.scope = scope
        }

        /// Takes a server that has begun the operation, whichever account is to answer it.
        init(beganBy server: ServerAddress, on device: DeviceSnapshot) {
            username = nil
            authenticators = device.models
            scope = device.scope(at: server)
        }
    }

    /// Validated request with the facet check and the time limit.
    struct ValidatedRequest {
        let deviceContext: DeviceContext
        let request: AuthenticationRequest
        let facet: TrustedFacet
        let limit: QuestionLimit
        /// The exchange in which the server was asked for the request; nil for a request out of band.
        let exchange: ServerBinding.ExchangeID?
        var transaction: TransactionText?

        var finalChallenge: FinalChallengeParameters {
            facet.finalChallenge(
                for: request.challenge, in: deviceContext.scope.binding(for: request.header, in: exchange))
        }

        func authenticators(of username: UserName) -> AuthenticatorCandidates {
            AuthenticatorCandidates(
                authenticators: deviceContext.authenticators, scope: deviceContext.scope, username: username,
                facet: facet)
        }

        /// Users of the device with keys that the server accepts; never none.
        func candidates(_ verifiable: [AuthenticatorKind]) throws(CeremonyFailure) -> [AccountCandidate] {
            var candidates: [AccountCandidate] = []
            for username in deviceContext.username.map({ [$0] }) ?? deviceContext.scope.usernames {
                let accepted = try authenticators(of: username).signing(under: request, kinds: verifiable)
                guard !accepted.isEmpty else { continue }
                candidates.append(AccountCandidate(validated: self, username: username, accepted: accepted))
            }
            guard !candidates.isEmpty else { throw .fido(.noSuitableAuthenticator) }
            return candidates
        }

        func response(_ assertion: [UInt8]?) -> AuthenticationResponse {
            AuthenticationResponse(
                header: request.header, finalChallenge: finalChallenge,
                assertions: assertion.map { [AuthenticatorSignAssertion(octets: $0)] } ?? [])
        }
    }

    /// Account candidate: an account with the keys that the server accepts.
    struct AccountCandidate {
        let validated: ValidatedRequest
        let username: UserName
        let accepted: [CredentialID]
        /// Digits that the user read on the screen where the operation was begun.
        var linkingDigits: Sensitive<String>?

        /// Keys that the server accepts though their registration was never answered, and that replace no other key.
        var promotable: [CredentialID] { accepted.filter { isPending($0) && !isReplacement($0) } }

        /// Whether the registration of a key was never answered.
        func isPending(_ credential: CredentialID) -> Bool {
            keys.contains { $0.id == credential && $0.state == .pending }
        }

        /// Whether the user has another key for the same authenticator, which would be removed.
        func isReplacement(_ credential: CredentialID) -> Bool {
            keys.contains { $0.id != credential && $0.id.aaid == credential.aaid && $0.state != .pending }
        }

        private var keys: [LocalCredential] { validated.deviceContext.scope.of(username).keys }

        func linked(by digits: String) -> AccountCandidate {
            var linked = self
            linked.linkingDigits = Sensitive(digits)
            return linked
        }

        func question(_ demand: LinkingDemand, wasMalformed: Bool) -> LinkingQuestion {
            LinkingQuestion(
                username: username, digitCount: demand.digitCount, shownDigits: demand.shownDigits,
                transactionText: validated.transaction?.octets, wasMalformed: wasMalformed, limit: validated.limit)
        }

        func question(_ verifiable: [AuthenticatorKind]) -> SelectionQuestion {
            SelectionQuestion(
                username: username, server: validated.deviceContext.server,
                shown: validated.authenticators(of: username).shown(kinds: verifiable),
                accepted: accepted.map(\.aaid), transactionText: validated.transaction?.octets,
                limit: validated.limit)
        }

        /// The key of the authenticator that the user chose; nil for one that was not offered.
        func key(ofModel text: String) -> SelectedKey? {
            guard let aaid = AAID(text), let credential = accepted.first(where: { $0.aaid == aaid }),
                let kind = aaid.kind
            else { return nil }
            return SelectedKey(
                validated: validated, credential: credential, kind: kind, linkingDigits: linkingDigits)
        }
    }

    /// Selected key, with the failed verifications so far.
    struct SelectedKey {
        let validated: ValidatedRequest
        let credential: CredentialID
        let kind: AuthenticatorKind
        let linkingDigits: Sensitive<String>?
        var tries = PresenceTries()

        /// Question for the secret; nil when the key is locked, or has none.
        func question(_ protection: ProtectionReport) -> VerificationQuestion? {
            guard protection != .lockedOut, let secret = kind.secretKind else { return nil }
            return VerificationQuestion(
                kind: secret, credential: credential, protection: protection,
                limit: QuestionLimit(expiry: validated.limit.expiry, coolDown: protection.coolDown))
        }

        var presenceQuestion: PresenceQuestion {
            PresenceQuestion(
                aaid: credential.aaid, authenticator: kind, wasMismatch: tries.lastWasMismatch,
                limit: validated.limit)
        }

        var signature: SignatureParameters {
            SignatureParameters(
                credential: credential, finalChallenge: validated.finalChallenge, transaction: validated.transaction)
        }

        func answer(_ assertion: [UInt8]) -> Answer {
            Answer(
                response: validated.response(assertion), server: validated.deviceContext.server,
                credential: credential, linkingDigits: linkingDigits)
        }
    }

    /// The response, and the key that signed it.
    struct Answer {
        let response: AuthenticationResponse
        let server: ServerAddress
        let credential: CredentialID
        let linkingDigits: Sensitive<String>?
    }
}
