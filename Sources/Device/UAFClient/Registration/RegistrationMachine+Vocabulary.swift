package import Authenticators
package import UAF

extension RegistrationMachine {
    /// Parameters of the operation, as the application has set them.
    package struct Parameters: Sendable {
        /// The name that the application gave; nil for a request that a server has sent already.
        package var username: String?
        /// A request that a server has sent already (out of band).
        package var received: ReceivedRequest<RegistrationRequest>?
        package var server: ServerAddress
        /// The exchange in which the server is asked for a request; nil where it has sent one already.
        package var exchange: ServerBinding.ExchangeID?
        package var deviceInformation: Values.Description?
        package var hasSelector = false
        /// The kinds for which there is an enroller or a verifier.
        package var enrollable: [AuthenticatorKind] = []
        package var choices = VerificationChoices()
        /// Whether the profile of the device refuses choices that contradict each other.
        package var refusesContradictions = false

        package init(server: ServerAddress) { self.server = server }

        /// The name of the user, once everything else was found to be usable.
        func validUsername() throws(CeremonyFailure) -> UserName {
            let username =
                if let received {
                    try AccountName.readable(received.request.username, asked: self.username)
                } else {
                    try AccountName.required(self.username)
                }
            guard hasSelector else { throw .wrongUse(CeremonyFault.missingParameter("authenticatorSelector")) }
            guard !enrollable.isEmpty else { throw .wrongUse(CeremonyFault.missingParameter("pinEnroller")) }
            guard deviceInformation?.isStorable ?? true else {
                throw .wrongUse(CeremonyFault.invalidParameter("deviceInformation"))
            }
            guard !(refusesContradictions && choices.isContradictory) else {
                throw .wrongUse(CeremonyFault.conflictingOptions)
            }
            guard server.isSecure else { throw .network(CeremonyFault.insecureAddress) }
            return username
        }
    }

    package enum Effect: OperationEffect {
        case loadDevice
        /// The server is asked for a request; a bound one is known to judge the server binding.
        case fetchRequest(UserName, isBound: Bool)
        case checkFacet(OperationHeader)
        case selectAuthenticator(SelectionQuestion)
        case enroll(EnrollmentQuestion)
        case judge(SecretKind, Values.Secret, QuestionLimit)
        case confirmPresence(PresenceQuestion)
        case createKey(KeyParameters, KeyConsent<Values>, QuestionLimit)
        case sendResponse(RegistrationResponse, UserName)
        /// The server has accepted the key, and has said under which identifier it keeps the device.
        case confirm(CredentialID, target: String?)
        /// The key is confirmed, and the server has not said that it knows the device; with what it has issued.
        case introduce(UserName, Values.Authorization?)
        case discard(CredentialID)
        case report(RegistrationResponse, CeremonyFailure)

        package var outlivesCancellation: Bool {
            switch self {
            case .confirm, .discard, .report: true
            default: false
            }
        }
    }

    package enum Event: OperationEvent {
        case device(DeviceSnapshot)
        case request(RequestAnswer<RegistrationRequest>)
        case facet(FacetVerdict)
        case choice(UserAnswer<String>)
        case secret(UserAnswer<Values.Secret>)
        case judged(SecretValidation<Values.Secret>)
        case presence(UserAnswer<Values.Presence>)
        case creation(CreationOutcome)
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
            case .device, .request, .facet, .judged, .creation, .verdict, .done: nil
            }
        }
    }

    package typealias Output = Void
    package typealias Failure = CeremonyFailure
}
