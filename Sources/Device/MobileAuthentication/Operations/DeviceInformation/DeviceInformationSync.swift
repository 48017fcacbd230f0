import BackendAPI
import HardwareKeys
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
    public init(errors: [DeviceInformationSyncError]) { self.errors = errors }
}

struct DeviceInformationSyncOperation: DeviceInformationSync, DraftedOperation {
    struct Draft: HeaderDraft {
        var mismatches: [DeviceInformationMismatch]?
        var headers: [String: String] = [:]
    }

    let state: OperationState<Draft, DeviceInformationSyncResult, Never>

    init(_ environment: ClientEnvironment) {
        let reuse = DeviceServerError.Unknown(server: nil, cause: OperationReuseError())
        state = OperationState(Draft(), reuse: .success(DeviceInformationSyncResult(errors: [reuse]))) { draft in
            .success(await Self.mend(draft, environment))
        }
    }

    func mismatches(_ mismatches: [DeviceInformationMismatch]) -> Self { with { $0.mismatches = mismatches } }

    func perform() async -> DeviceInformationSyncResult { await state.perform() }

    private static func mend(_ draft: Draft, _ environment: ClientEnvironment) async -> DeviceInformationSyncResult {
        guard let mismatches = draft.mismatches else {
            return DeviceInformationSyncResult(
                errors: [.Unknown(server: nil, cause: MissingParameterError("mismatches"))])
        }
        guard !UserDialog.isAsking(by: environment.userMutex) else {
            return DeviceInformationSyncResult(errors: [.Unknown(server: nil, cause: NestedOperationError())])
        }
        guard !mismatches.isEmpty else { return DeviceInformationSyncResult(errors: []) }
        // In turn with operations that ask the user: a registration may add what is being compared.
        let refusals = await environment.userMutex.runInTurn { () async -> [ServerFanOut<Void>.Refusal] in
            let round = await ServerFanOut.credentials(on: environment, draft.headers)
            let exchange = DeviceExchange(environment, headers: draft.headers)
            let unheard = round.refusals.map { ServerFanOut<Void>.Refusal(server: $0.server, refusal: $0.refusal) }
            let plan = DeviceRepairPlan(mismatches.map(\.named), round)
            let failed = await OperationRunner.run(DeviceRepairMachine(plan.repairs)) {
                repair async throws(CeremonyFailure) in .answer(try await perform(repair, exchange))
            }
            return unheard + failed
        }
        let errors = refusals.map(DeviceServerError.init)
        for error in errors { environment.note(error) }
        return DeviceInformationSyncResult(errors: errors)
    }

    private static func perform(_ repair: DeviceRepair, _ exchange: DeviceExchange) async throws(CeremonyFailure)
        -> DeviceAnswer<Void>
    {
        let store = exchange.environment.store
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
    }
}
