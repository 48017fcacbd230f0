package import UAF

extension SecretChangeMachine {
    /// Parameters of the operation, as the application has set them.
    package struct Parameters: Sendable {
        package let kind: SecretKind
        package var username: String?
        package var hasChanger = false

        package init(_ kind: SecretKind) { self.kind = kind }
    }

    package enum Effect: OperationEffect {
        case loadDevice
        case readProtection(CredentialID)
        case ask(ChangeQuestion)
        case unlock(CredentialID, SecretPair<Values.Secret>)
        case compare(Replacement)
        case judge(Replacement, QuestionLimit)
        case replace(Replacement)
        case markUnusable(CredentialID)

        package var outlivesCancellation: Bool {
            if case .markUnusable = self { true } else { false }
        }
    }

    package enum Event: OperationEvent {
        case device(DeviceSnapshot)
        case protection(ProtectionReport)
        case answer(UserAnswer<SecretPair<Values.Secret>>)
        case unlocked(OldSecretOutcome<Values.Opened>, new: Values.Secret)
        case compared(Replacement, isSame: Bool)
        case judged(SecretFlaw?, Replacement)
        /// Completion of an effect without a result.
        case done
        case failed(CeremonyFailure)
        case canceled

        package var refusal: CeremonyFailure? {
            switch self {
            case .failed(let failure): failure
            case .canceled: .canceled
            case .answer(let answer): answer.refusal
            case .device, .protection, .unlocked, .compared, .judged, .done: nil
            }
        }
    }

    /// The key behind its old secret, and the secret it shall get.
    package struct Replacement: Sendable {
        package let opened: Values.Opened
        package let new: Values.Secret

        package init(opened: Values.Opened, new: Values.Secret) {
            self.opened = opened
            self.new = new
        }
    }

    package typealias Output = Void
    package typealias Failure = SecretChangeFailure
}
