import BackendAPI
import UAFClient

struct PendingOperationsFetch: PendingOutOfBandOperations, DraftedOperation {
    struct Draft: HeaderDraft {
        var headers: [String: String] = [:]
    }

    let state: OperationState<Draft, PendingOutOfBandOperationsResult, Never>

    init(_ environment: ClientEnvironment) {
        let reuse = DeviceServerError.Unknown(server: nil, cause: OperationReuseError())
        state = OperationState(
            Draft(), reuse: .success(PendingOutOfBandOperationsResult(operations: [], errors: [reuse]))
        ) { draft in
            .success(await Self.fetch(environment, draft.headers))
        }
    }

    func perform() async -> PendingOutOfBandOperationsResult { await state.perform() }

    private static func fetch(
        _ environment: ClientEnvironment, _ headers: [String: String]
    ) async -> PendingOutOfBandOperationsResult {
        let exchange = DeviceExchange(environment, headers: headers)
        let round = await ServerFanOut<PendingOperations>.run(on: environment) { deviceID, signer in
            await exchange.pendingOperations(of: deviceID, signer)
        }
        let operations = round.answers.flatMap(\.body.entries).map(PendingOutOfBandOperation.init)
        let errors = round.refusals.map(DeviceServerError.init)
        for error in errors { environment.note(error) }
        return PendingOutOfBandOperationsResult(
            operations: operations.sorted { $0.creationTimeInEpochMillis > $1.creationTimeInEpochMillis },
            errors: errors)
    }
}

extension PendingOutOfBandOperation {
    init(_ entry: PendingOperations.Entry) {
        self.init(
            payload: OutOfBandPayload(entry.payload), creationTimeInEpochMillis: entry.creationTime,
            dispatchChannel: DispatchChannel(entry.dispatcher),
            additionalInformation: entry.additionalInformation ?? "")
    }
}

extension DispatchChannel {
    init(_ dispatcher: DispatcherName) {
        self =
            switch dispatcher {
            case .firebaseCloudMessaging: .firebase
            case .link: .link
            case .pngQRCode, .linkPNGQRCode: .png
            default: .other(dispatcher.rawValue)
            }
    }
}
