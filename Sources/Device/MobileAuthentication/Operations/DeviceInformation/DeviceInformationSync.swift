import BackendAPI
import HardwareKeys
import Locking
import UAFClient

/// Repairs what a ``DeviceInformationCheck`` has found, as far as that is possible.
///
/// Only mismatches that were passed in are repaired, and only those that still exist: every server is asked once more
/// before anything is changed. Some repairs remove credentials here or at a server, so ask the user first:
/// ``DeviceInformationMismatch/proposedAction`` and ``DeviceInformationMismatch/explanation`` say what would be done.
public protocol DeviceInformationSync: HttpOperation {
    /// Mismatches to repair; required.
    @discardableResult
    func mismatches(_ mismatches: [DeviceInformationMismatch]) -> Self

    /// Called once with the errors of what could not be repaired.
    @discardableResult @preconcurrency
    func onResult(_ handler: @escaping @MainActor (DeviceInformationSyncResult) -> Void) -> Self

    /// Runs the operation and waits for its end.
    func perform() async -> DeviceInformationSyncResult
}

/// Result of a ``DeviceInformationSync``: the repairs that failed.
public struct DeviceInformationSyncResult: Sendable {
    /// The errors; empty when everything that was passed in is repaired or gone.
    public let errors: [DeviceInformationSyncError]

    /// Creates a result.
    public init(errors: [DeviceInformationSyncError]) {
        self.errors = errors
    }
}

/// A repair that is put together and then run once.
final class DeviceInformationSyncOperation: DeviceInformationSync {
    /// Parameters that the application has set so far.
    private struct Draft: Sendable {
        var mismatches: [DeviceInformationMismatch]?
        var headers: [String: String] = [:]
        var onResult: (@MainActor (DeviceInformationSyncResult) -> Void)?
    }

    private let environment: ClientEnvironment
    private let draft = Lock(Draft())
    private let run = ResultRun<DeviceInformationSyncResult>()

    init(_ environment: ClientEnvironment) { self.environment = environment }

    private func with(_ change: (inout sending Draft) -> Void) -> Self {
        draft.withLock { change(&$0) }
        return self
    }

    func mismatches(_ mismatches: [DeviceInformationMismatch]) -> Self { with { $0.mismatches = mismatches } }

    func requestHeaders(_ headers: [String: String]) -> Self { with { $0.headers = headers } }

    func onResult(_ handler: @escaping @MainActor (DeviceInformationSyncResult) -> Void) -> Self {
        with { $0.onResult = handler }
    }

    func execute() {
        Task {
            let result = await perform()
            await draft.withLock { $0.onResult }?(result)
        }
    }

    func perform() async -> DeviceInformationSyncResult {
        let (environment, draft) = (environment, draft.withLock { $0 })
        return await run.result(of: { await Self.mend(draft, environment) })
            ?? DeviceInformationSyncResult(errors: [.Unknown(server: nil, cause: OperationReuseError())])
    }

    func cancel() { run.cancel() }

    private static func mend(_ draft: Draft, _ environment: ClientEnvironment) async -> DeviceInformationSyncResult {
        guard let mismatches = draft.mismatches else {
            return DeviceInformationSyncResult(
                errors: [.Unknown(server: nil, cause: MissingParameterError("mismatches"))])
        }
        guard !mismatches.isEmpty else { return DeviceInformationSyncResult(errors: []) }
        // In turn with operations that ask the user: a registration may add what is being compared.
        let refusals = await environment.userMutex.runInTurn { () async -> [ServerRound<Void>.Refusal] in
            let round = await ServerRound.credentials(on: environment, draft.headers)
            let exchange = DeviceExchange(environment, headers: draft.headers)
            let unheard = round.refusals.map { ServerRound<Void>.Refusal(server: $0.server, refusal: $0.refusal) }
            let plan = DeviceRepairPlan(mismatches.map(\.named), round)
            let failed = await OperationRunner.run(DeviceRepairMachine(plan.repairs)) {
                .answer(await perform($0, exchange))
            }
            return unheard + failed
        }
        let errors = refusals.map(DeviceServerError.init)
        for error in errors { environment.note(error) }
        return DeviceInformationSyncResult(errors: errors)
    }

    private static func perform(_ repair: DeviceRepair, _ exchange: DeviceExchange) async -> DeviceAnswer<Void> {
        let store = exchange.environment.store
        do throws(CeremonyFailure) {
            switch repair {
            case .removeThere(let removal, let deviceID, let signer):
                return await exchange.remove(removal, from: deviceID, signer)
            case .changeThere(let target, let change): return await exchange.change(target, change)
            case .removeHere(let credentials, _):
                try await store.remove(credentials)
                await store.destroyForgottenKeys()
            case .changeHere(let changes, _): try await store.change(changes)
            }
            return .done(())
        } catch {
            return .refused(.failed(error))
        }
    }
}
