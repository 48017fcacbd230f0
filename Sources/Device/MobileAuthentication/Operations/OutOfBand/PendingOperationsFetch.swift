import BackendAPI
import Locking
import UAFClient

/// A fetch of pending operations, put together and then run once.
final class PendingOperationsFetch: PendingOutOfBandOperations {
    private typealias Result = PendingOutOfBandOperationsResult

    /// Parameters that the application has set so far.
    private struct Draft: Sendable {
        var headers: [String: String] = [:]
        var onResult: (@MainActor (PendingOutOfBandOperationsResult) -> Void)?
    }

    private let environment: ClientEnvironment
    private let draft = Lock(Draft())
    private let run = ResultRun<PendingOutOfBandOperationsResult>()

    init(_ environment: ClientEnvironment) { self.environment = environment }

    private func with(_ change: (inout sending Draft) -> Void) -> Self {
        draft.withLock { change(&$0) }
        return self
    }

    func requestHeaders(_ headers: [String: String]) -> Self { with { $0.headers = headers } }

    func onResult(_ handler: @escaping @MainActor (PendingOutOfBandOperationsResult) -> Void) -> Self {
        with { $0.onResult = handler }
    }

    func execute() {
        Task {
            let result = await perform()
            await draft.withLock { $0.onResult }?(result)
        }
    }

    func perform() async -> PendingOutOfBandOperationsResult {
        let (environment, headers) = (environment, draft.withLock { $0.headers })
        return await run.result(of: { await Self.fetch(environment, headers) })
            ?? Result(operations: [], errors: [.Unknown(server: nil, cause: OperationReuseError())])
    }

    func cancel() { run.cancel() }

    private static func fetch(
        _ environment: ClientEnvironment, _ headers: [String: String]
    ) async -> PendingOutOfBandOperationsResult {
        let exchange = DeviceExchange(environment, headers: headers)
        let round = await ServerRound<PendingOperations>.run(on: environment) { deviceID, signer in
            await exchange.pendingOperations(of: deviceID, signer)
        }
        let operations = round.answers.flatMap(\.body.entries).map(PendingOutOfBandOperation.init)
        let errors = round.refusals.map(DeviceServerError.init)
        for error in errors { environment.note(error) }
        return Result(
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
