import BackendAPI
import UAFClient

/// Compares what this device and its servers know of each other; it changes nothing and needs no user.
///
/// ```swift
/// let check = await client.operations.deviceInformationCheck.perform()
/// let wanted = check.mismatches.filter { mismatch in ask(mismatch.explanation) }
/// let sync = await client.operations.deviceInformationSync.mismatches(wanted).perform()
/// ```
public protocol DeviceInformationCheck: HttpOperation {
    /// Called once with the mismatches, and with what went wrong.
    @discardableResult @preconcurrency
    func onResult(_ handler: @escaping @MainActor (DeviceInformationCheckResult) -> Void) -> Self

    /// Runs the operation and waits for its end.
    func perform() async -> DeviceInformationCheckResult
}

/// Mismatches between this device and its servers.
public struct DeviceInformationCheckResult: Sendable {
    /// Every mismatch with the servers that answered.
    public let mismatches: [DeviceInformationMismatch]
    /// One error for each server that did not answer.
    public let errors: [DeviceInformationCheckError]

    /// Creates a result.
    public init(mismatches: [DeviceInformationMismatch], errors: [DeviceInformationCheckError]) {
        self.mismatches = mismatches
        self.errors = errors
    }
}

struct DeviceInformationCheckOperation: DeviceInformationCheck, DraftedOperation {
    struct Draft: HeaderDraft {
        var headers: [String: String] = [:]
    }

    let state: OperationState<Draft, DeviceInformationCheckResult, Never>

    init(_ environment: ClientEnvironment) {
        let reuse = DeviceServerError.Unknown(server: nil, cause: OperationReuseError())
        state = OperationState(
            Draft(), reuse: .success(DeviceInformationCheckResult(mismatches: [], errors: [reuse]))
        ) { draft in
            .success(await Self.check(environment, draft.headers))
        }
    }

    func perform() async -> DeviceInformationCheckResult { await state.perform() }

    private static func check(
        _ environment: ClientEnvironment, _ headers: [String: String]
    ) async -> DeviceInformationCheckResult {
        let round = await ServerFanOut.credentials(on: environment, headers)
        let comparisons = round.answers.compactMap { answer in
            round.device.map { DeviceComparison($0, answer.signer.server, answer.body) }
        }
        let errors = round.refusals.map(DeviceServerError.init)
        for error in errors { environment.note(error) }
        return DeviceInformationCheckResult(
            mismatches: comparisons.flatMap { $0.mismatches.map(DeviceInformationMismatch.init) }, errors: errors)
    }
}

extension ServerFanOut where Body == DeviceCredentials {
    static func credentials(
        on environment: ClientEnvironment, _ headers: [String: String]
    ) async -> ServerFanOut<DeviceCredentials> {
        let exchange = DeviceExchange(environment, headers: headers)
        return await run(on: environment, includingDeparted: true) { deviceID, signer in
            await exchange.credentials(of: deviceID, signer)
        }
    }
}
