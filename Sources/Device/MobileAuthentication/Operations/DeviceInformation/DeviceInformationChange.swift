import Locking
import Octets
import UAFClient

/// Changes name and push token of this device, at every server that holds a record of it, and then here.
///
/// The record on this device changes only when all servers have accepted; when some have not, the operation ends with
/// the first error after all were asked, and can be repeated. A change without a difference succeeds without a request.
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

/// A change of the device information that is being put together, and then run once.
final class DeviceInformationChangeOperation: DeviceInformationChange {
    /// Parameters that the application has set so far.
    private struct Draft: Sendable {
        var parameters = DeviceInformationChangeMachine.Parameters()
        var headers: [String: String] = [:]
        var onSuccess: (@MainActor (()) -> Void)?
        var onError: (@MainActor (DeviceInformationChangeError) -> Void)?
    }

    private let environment: ClientEnvironment
    private let draft = Lock(Draft())
    private let run = OperationRun<Void, DeviceInformationChangeError>(reuse: .Unknown(cause: OperationReuseError()))

    init(_ environment: ClientEnvironment) { self.environment = environment }

    private func with(_ change: (inout sending Draft) -> Void) -> Self {
        draft.withLock { change(&$0) }
        return self
    }

    func name(_ name: String) -> Self { with { $0.parameters.name = name } }

    func fcmRegistrationToken(_ fcmRegistrationToken: String) -> Self {
        with { $0.parameters.push = .token(Sensitive(fcmRegistrationToken)) }
    }

    func disablePushNotifications() -> Self { with { $0.parameters.push = .disabled } }

    func retryPolicy(_ retryPolicy: RetryPolicy) -> Self { with { $0.parameters.retries = RetrySchedule(retryPolicy) } }

    func requestHeaders(_ headers: [String: String]) -> Self { with { $0.headers = headers } }

    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self { with { $0.onSuccess = { _ in handler() } } }

    func onError(_ handler: @escaping @MainActor (DeviceInformationChangeError) -> Void) -> Self {
        with { $0.onError = handler }
    }

    func execute() {
        let draft = draft.withLock { $0 }
        run.execute(onSuccess: draft.onSuccess, onError: draft.onError, Self.body(draft, environment))
    }

    func perform() async throws(DeviceInformationChangeError) {
        let draft = draft.withLock { $0 }
        try await run.result(of: Self.body(draft, environment)).get()
    }

    func cancel() { run.cancel() }

    private static func body(
        _ draft: Draft, _ environment: ClientEnvironment
    ) -> @Sendable () async -> Result<Void, DeviceInformationChangeError> {
        {
            await environment.attemptAside { () async throws(DeviceInformationChangeError) in
                let exchange = DeviceExchange(environment, headers: draft.headers)
                do throws(DeviceChangeFailure) {
                    try await OperationRunner.run(DeviceInformationChangeMachine(draft.parameters)) {
                        await perform($0, exchange)
                    }
                } catch {
                    throw DeviceInformationChangeError(error)
                }
            }
        }
    }

    private static func perform(
        _ effect: DeviceInformationChangeMachine.Effect, _ exchange: DeviceExchange
    ) async -> DeviceInformationChangeMachine.Event {
        let environment = exchange.environment
        do throws(CeremonyFailure) {
            switch effect {
            case .loadDevice:
                try await environment.store.requireDeviceLock()
                return .device(try await environment.store.snapshot())
            case .change(let target, let change): return .answer(await exchange.change(target, change))
            case .wait(let delay): try await environment.sleep(delay)
            case .save(let name, let push):
                try await environment.store.change(DeviceRecordChange.changes(name, push))
            }
            return .done
        } catch {
            return .failed(error)
        }
    }
}
