import BackendAPI
import JOSE
import UAF
import UAFClient

extension OutOfBandMachine {
    /// Parameters of the operation, as the application has set them.
    struct Parameters: Sendable {
        var content: OutOfBandEnvelope.Content?
        /// The configured server.
        var server: ServerAddress
        /// Further addresses whose origin stands for that of the configured server.
        var redeemOrigins: [ServerAddress] = []
        /// Kinds of operation without a handler, with what is missing; they are not redeemed.
        var unhandled: [OperationKind: UnhandledOperationError] = [:]

        init(server: ServerAddress) { self.server = server }
    }

    enum Effect: OperationEffect {
        case loadDevice
        /// Tries the keys for these servers, in this order.
        case open(CompactJWE, [ServerAddress])
        /// Asks the user whether keys may be removed.
        case confirm(DeregistrationConfirmationQuestion)
        case redeem(token: String, RedeemTarget)
        case checkFacet(OperationHeader)
        case remove([CredentialID])

        /// True for the removal of keys: those that the server has deleted are useless here, even after a cancellation.
        var outlivesCancellation: Bool {
            switch self {
            case .checkFacet, .remove: true
            case .loadDevice, .open, .confirm, .redeem: false
            }
        }
    }

    enum Event: OperationEvent {
        case device(DeviceSnapshot)
        /// The plaintext, and the server whose key opened it.
        case opened([UInt8], ServerAddress)
        /// Decision of the user on the removal of keys.
        case consent(UserAnswer<Void>)
        case request(RequestAnswer<OperationRequest>)
        case facet(FacetVerdict)
        /// The keys are gone.
        case done
        case failed(CeremonyFailure)
        case canceled

        var refusal: CeremonyFailure? {
            switch self {
            case .failed(let failure): failure
            case .canceled: .canceled
            case .consent(let answer): answer.refusal
            case .device, .opened, .request, .facet, .done: nil
            }
        }
    }

    typealias Output = OutOfBandOutcome
    typealias Failure = OutOfBandFailure
    static var cancellation: Event { .canceled }
}
