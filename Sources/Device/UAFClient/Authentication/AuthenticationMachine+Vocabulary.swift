package import Authenticators
package import Octets
package import UAF

extension AuthenticationMachine {
    /// Parameters of the operation, as the application has set them.
    package struct Parameters: Sendable {
        /// User to be authenticated.
        package enum Subject: Sendable {
            /// A user that the application names, at the server where they are registered.
            case user(String?)
            /// Any user of this device who can answer a request that a server has already sent (out of band).
            case anyUser(AuthenticationRequest, expiry: Duration?, ServerAddress)
        }

        package var subject = Subject.user(nil)
        /// The exchange in which the server is asked for a request; nil where it has sent one already.
        package var exchange: ServerBinding.ExchangeID?
        package var hasAccountSelector = false
        package var hasChannelLinker = false
        package var linking: LinkingDemand?
        package var hasSelector = false
        /// The kinds for which there is a verifier.
        package var verifiable: [AuthenticatorKind] = []
        /// Retry policy for an authorization that the server does not have ready yet.
        package var retries = RetrySchedule(maxRetries: 3, seconds: 1)

        package init() {}
    }

    package enum Effect: OperationEffect {
        case loadDevice
        /// The server is asked for a request; a bound one is known to judge the server binding.
        case fetchRequest(UserName, ServerAddress, isBound: Bool)
        case checkFacet(OperationHeader)
        /// The server has named keys whose registration was never answered.
        case promote([CredentialID])
        case selectAuthenticator(SelectionQuestion)
        case selectAccount(AccountQuestion)
        case linkChannel(LinkingQuestion)
        case readProtection(CredentialID)
        case verify(VerificationQuestion)
        case confirmPresence(PresenceQuestion)
        case sign(SignatureParameters, KeyConsent<Values>, QuestionLimit)
        case sendResponse(AuthenticationResponse, ServerAddress, linkingDigits: Sensitive<String>?)
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

    package enum Event: OperationEvent {
        case device(DeviceSnapshot)
        case request(RequestAnswer<AuthenticationRequest>)
        case facet(FacetVerdict)
        case choice(UserAnswer<String>)
        case protection(ProtectionReport)
        case secret(UserAnswer<Values.Secret>)
        case presence(UserAnswer<Values.Presence>)
        case signature(SignatureOutcome)
        case verdict(ServerVerdict<Values.Authorization>)
        /// Completion of an effect without a result.
        case done
        case failed(CeremonyFailure)
        case canceled

        package var refusal: CeremonyFailure? {
            switch self {
            case .failed(let failure): failure
            case .canceled: .canceled
            case .choice(let answer): answer.refusal
            case .secret(let answer): answer.refusal
            case .presence(let answer): answer.refusal
            case .device, .request, .facet, .protection, .signature, .verdict, .done: nil
            }
        }
    }

    package typealias Output = Values.Authorization?
    package typealias Failure = CeremonyFailure
}
