package import BackendAPI
package import UAF

extension OutOfBandMachine {
    /// Parameters of the operation, as the application has set them.
    package struct Parameters: Sendable {
        package var content: OutOfBandEnvelope.Content?
        /// The configured server.
        package var server: ServerAddress
        /// Further addresses whose origin stands for the configured server's.
        package var redeemOrigins: [ServerAddress] = []
        /// Kinds of operation without a handler, with what is missing; they are not redeemed.
        package var unhandled: [OperationKind: OutOfBandFailure.Unhandled] = [:]

        package init(server: ServerAddress) { self.server = server }
    }

    package enum Effect: OperationEffect {
        case loadDevice
        /// Tries the keys for these servers, in this order.
        case open(Values.Sealed, [ServerAddress])
        case confirm(DeregistrationConfirmationQuestion)
        case redeem(token: String, RedeemAddress<Values.Link>)
        case checkFacet(OperationHeader)
        case remove([CredentialID])

        /// True for the removal of keys: those that the server has deleted are useless here, even after a cancellation.
        package var outlivesCancellation: Bool {
            switch self {
            case .checkFacet, .remove: true
            case .loadDevice, .open, .confirm, .redeem: false
            }
        }
    }

    package enum Event: OperationEvent {
        case device(DeviceSnapshot)
        /// The plaintext, and the server whose key opened it.
        case opened([UInt8], ServerAddress)
        case consent(UserAnswer<Void>)
        case request(RequestAnswer<OperationRequest>)
        case facet(FacetVerdict)
        /// The keys are gone.
        case done
        case failed(CeremonyFailure)
        case canceled

        package var refusal: CeremonyFailure? {
            switch self {
            case .failed(let failure): failure
            case .canceled: .canceled
            case .consent(let answer): answer.refusal
            case .device, .opened, .request, .facet, .done: nil
            }
        }
    }

    package typealias Output = OutOfBandOutcome
    package typealias Failure = OutOfBandFailure
}
