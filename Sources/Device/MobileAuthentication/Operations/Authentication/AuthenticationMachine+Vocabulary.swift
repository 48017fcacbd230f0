package import UAF

extension AuthenticationMachine {
    /// What the application asked for.
    package struct Order: Sendable {
        /// Whom it is about.
        package enum Subject: Sendable {
            /// A user that the application names, at the server that knows him.
            case user(String?)
            /// Whoever of this device can answer a request that a server has already sent (out of band).
            case whoever(AuthenticationRequest, expiry: Duration?, ServerAddress)
        }

        package var subject = Subject.user(nil)
        package var hasAccountSelector = false
        package var hasChannelLinker = false
        /// What the server wants to see of the screen where the operation was begun; nil for nothing.
        package var linking: LinkingDemand?
        package var hasSelector = false
        /// The kinds for which there is a verifier.
        package var verifiable: [AuthenticatorAaid] = []
        /// When to ask again for an authorization that the server does not have ready yet.
        package var retries = RetryPolicy.constant(maxRetries: 3, delayInSeconds: 1)

        package init() {}
    }

    package enum Effect: OperationEffect {
        case loadDevice
        case fetchRequest(UserName, ServerAddress)
        case checkFacet(OperationHeader)
        /// The server has named keys whose registration was never answered.
        case promote([CredentialID])
        case selectAuthenticator(SelectionQuestion)
        case selectAccount(AccountQuestion)
        case linkChannel(LinkingQuestion)
        case readProtection(CredentialID)
        case verify(VerificationQuestion)
        case confirmPresence(PresenceQuestion)
        case sign(SignatureOrder, UserConsent, QuestionLimit)
        case sendResponse(AuthenticationResponse, ServerAddress, linkingDigits: String?)
        case wait(Duration)
        case markUnusable(CredentialID)
        case report(AuthenticationResponse, ServerAddress, CeremonyFailure)

        package var outlivesCancellation: Bool {
            switch self {
            case .promote, .markUnusable, .report: true
            default: false
            }
        }
    }

    package enum Event: Sendable {
        case device(DeviceSnapshot)
        case request(RequestAnswer<AuthenticationRequest>)
        case facet(FacetVerdict)
        case choice(UserAnswer<String>)
        case protection(ProtectionReport)
        case secret(UserAnswer<SecretBytes>)
        case presence(UserAnswer<PresenceRequest>)
        case signature(SignatureOutcome)
        case verdict(ServerVerdict)
        /// An effect that answers nothing is done.
        case done
        case failed(CeremonyFailure)
        case canceled
    }

    package typealias Output = (any AuthorizationProvider)?
    package typealias Failure = CeremonyFailure
    package static var cancellation: Event { .canceled }
}
