package import Octets

extension DeviceInformationChangeMachine {
    /// Parameters of the operation, as the application has set them.
    package struct Parameters: Sendable {
        /// Change of the push token: a new one, or none.
        package enum Push: Hashable, Sendable {
            case token(Sensitive<String>)
            case disabled
        }

        package var name: String?
        package var push: Push?
        package var retries = RetrySchedule.none

        package init() {}
    }

    package enum Effect: OperationEffect {
        case loadDevice
        case change(DeviceSnapshot.Target, DispatchTargetUpdate)
        case wait(Duration)
        /// The change is remembered, with the servers that have not taken it.
        case save([DeviceRecordChange])

        package var outlivesCancellation: Bool {
            if case .save = self { true } else { false }
        }
    }

    package enum Event: OperationEvent {
        case device(DeviceSnapshot)
        case answer(DeviceAnswer<Void>)
        /// Completion of an effect without a result.
        case done
        case failed(CeremonyFailure)
        case canceled

        package var refusal: CeremonyFailure? {
            switch self {
            case .failed(let failure): failure
            case .canceled: .canceled
            case .device, .answer, .done: nil
            }
        }
    }

    package typealias Output = Void
    package typealias Failure = DeviceChangeFailure
}
