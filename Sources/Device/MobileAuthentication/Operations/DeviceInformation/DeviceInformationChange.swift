import Octets
import UAFClient

/// Changes name and push token of this device, at every server that holds a record of it, and then here.
///
/// The record on this device changes only when all servers have accepted; when some have not, the operation ends with
/// the first error after all were asked, and can be repeated. ``DeviceInformationCheck`` compares each server with what
/// that server has accepted. A change without a difference succeeds without a request.
///
/// ```swift
/// if let known = client.localData.deviceInformation, known.fcmRegistrationToken != token {
///     try await client.operations.deviceInformationChange.fcmRegistrationToken(token).perform()
/// }
/// ```
public protocol DeviceInformationChange: HttpOperation {
    /// The new name, 1 to 128 characters; no other device of the user may have it.
    @discardableResult
    func name(_ name: String) -> Self

    /// The new token for push messages; it switches them on again.
    @discardableResult
    func fcmRegistrationToken(_ fcmRegistrationToken: String) -> Self

    /// Takes the token away; of this and ``fcmRegistrationToken(_:)`` the later call counts.
    @discardableResult
    func disablePushNotifications() -> Self

    /// Retry policy for servers that cannot be reached; the default is no retry.
    ///
    /// Every retry is a new request: none is taken for a replay.
    @discardableResult
    func retryPolicy(_ retryPolicy: RetryPolicy) -> Self

    /// Called once when every server has accepted.
    @discardableResult @preconcurrency
    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self

    /// Called once with the error when the change failed or was canceled.
    @discardableResult @preconcurrency
    func onError(_ handler: @escaping @MainActor (DeviceInformationChangeError) -> Void) -> Self

    /// Runs the operation and waits for its end.
    func perform() async throws(DeviceInformationChangeError)
}

struct DeviceInformationChangeOperation: DeviceInformationChange, DraftedOperation {
    struct Draft: HeaderDraft {
        var parameters = DeviceInformationChangeMachine.Parameters()
        var headers: [String: String] = [:]
    }

    let state: OperationState<Draft, Void, DeviceInformationChangeError>

    init(_ environment: ClientEnvironment) {
        state = OperationState(Draft()) { draft in
            await environment.attempt(
                orThrow: DeviceInformationChangeError.init, inTurn: false
            ) { () async throws(DeviceChangeFailure) in
                let exchange = DeviceExchange(environment, headers: draft.headers)
                try await OperationRunner.run(DeviceInformationChangeMachine(draft.parameters)) {
                    effect async throws(CeremonyFailure) in try await Self.perform(effect, exchange)
                }
            }
        }
    }

    func name(_ name: String) -> Self { with { $0.parameters.name = name } }

    func fcmRegistrationToken(_ fcmRegistrationToken: String) -> Self {
        with { $0.parameters.push = .token(Sensitive(fcmRegistrationToken)) }
    }

    func disablePushNotifications() -> Self { with { $0.parameters.push = .disabled } }

    func retryPolicy(_ retryPolicy: RetryPolicy) -> Self { with { $0.parameters.retries = RetrySchedule(retryPolicy) } }

    func perform() async throws(DeviceInformationChangeError) { try await state.perform() }

    private static func perform(
        _ effect: DeviceInformationChangeMachine.Effect, _ exchange: DeviceExchange
    ) async throws(CeremonyFailure) -> DeviceInformationChangeMachine.Event {
        let environment = exchange.environment
        switch effect {
        case .loadDevice:
            try await environment.store.requireDeviceLock()
            return .device(try await environment.store.snapshot())
        case .change(let target, let change): return .answer(await exchange.change(target, change))
        case .wait(let delay): try await environment.sleep(delay)
        case .save(let changes): try await environment.store.change(changes)
        }
        return .done
    }
}
