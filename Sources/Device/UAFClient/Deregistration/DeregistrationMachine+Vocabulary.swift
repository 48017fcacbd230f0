package import BackendAPI
package import UAF

extension DeregistrationMachine {
    /// Parameters of the operation, as the application has set them.
    package struct Parameters: Sendable {
        package var username: String?
        package var aaid: String?
        package var authorization = Authorization.absent

        package init() {}
    }

    /// Authorization that the application gives the server to see.
    package enum Authorization: Sendable {
        /// Nothing: where the server demands an authorization, the device asks by a signed request.
        case absent
        /// A login of the user.
        case login
        /// The device itself asks, by a signed request.
        case device
    }

    package enum Effect: OperationEffect {
        case loadDevice
        case fetchRequest(UserName, ServerAddress, [CredentialID])
        case checkFacet(OperationHeader)
        /// The device asks a server to forget keys; the record whose key signs comes last.
        case removeThere(DeviceRemoval, DeviceID, DeviceSnapshot.Target)
        case remove([CredentialID])

        package var outlivesCancellation: Bool {
            if case .remove = self { true } else { false }
        }
    }

    package enum Event: OperationEvent {
        case device(DeviceSnapshot)
        case request(RequestAnswer<DeregistrationRequest>)
        /// The server demands an authorization, or another one.
        case unauthorized(CeremonyFailure)
        case facet(FacetVerdict)
        case answer(DeviceAnswer<Void>)
        /// The keys are gone.
        case done
        case failed(CeremonyFailure)
        case canceled

        package var refusal: CeremonyFailure? {
            switch self {
            case .failed(let failure): failure
            case .canceled: .canceled
            case .device, .request, .unauthorized, .facet, .answer, .done: nil
            }
        }
    }

    package typealias Output = Void
    package typealias Failure = CeremonyFailure
}
