import Foundation
import Synchronization

/// A registration that is being put together, and then run once.
final class RegistrationOperation: Registration {
    /// Everything that the application has said so far.
    struct Draft: Sendable {
        var order: RegistrationMachine.Order
        var authorization: (any AuthorizationProvider)?
        var headers: [String: String] = [:]
        var participants = Participants()
        var onSuccess: (@MainActor (()) -> Void)?
        var onError: (@MainActor (OperationError) -> Void)?
    }

    private let environment: ClientEnvironment
    private let draft: Mutex<Draft>
    private let run = OperationRun<Void, OperationError>(reuse: .Unknown(cause: OperationReuseError()))

    init(_ environment: ClientEnvironment) {
        self.environment = environment
        draft = Mutex(Draft(order: RegistrationMachine.Order(server: environment.server)))
    }

    private func with(_ change: (inout sending Draft) -> Void) -> Self {
        draft.withLock { change(&$0) }
        return self
    }

    func username(_ username: String) -> Self { with { $0.order.username = username } }

    func serverUrl(_ serverUrl: URL) -> Self { with { $0.order.server = ServerAddress(serverUrl) } }

    func deviceInformation(_ deviceInformation: DeviceInformation) -> Self {
        with { $0.order.deviceInformation = deviceInformation }
    }

    func authorizationProvider(_ authorizationProvider: any AuthorizationProvider) -> Self {
        with { $0.authorization = authorizationProvider }
    }

    func requestHeaders(_ headers: [String: String]) -> Self { with { $0.headers = headers } }

    func authenticatorSelector(_ authenticatorSelector: any AuthenticatorSelector) -> Self {
        let box = MainActorBox(authenticatorSelector)
        return with { $0.participants.authenticatorSelector = box }
    }

    func pinEnroller(_ pinEnroller: any PinEnroller) -> Self {
        let box = MainActorBox(pinEnroller)
        return with { $0.participants.pinEnroller = box }
    }

    func passwordEnroller(_ passwordEnroller: any PasswordEnroller) -> Self {
        let box = MainActorBox(passwordEnroller)
        return with { $0.participants.passwordEnroller = box }
    }

    func biometricUserVerifier(_ biometricUserVerifier: any BiometricUserVerifier) -> Self {
        let box = MainActorBox(biometricUserVerifier)
        return with { $0.participants.biometricUserVerifier = box }
    }

    func devicePasscodeUserVerifier(_ devicePasscodeUserVerifier: any DevicePasscodeUserVerifier) -> Self {
        let box = MainActorBox(devicePasscodeUserVerifier)
        return with { $0.participants.devicePasscodeUserVerifier = box }
    }

    func fingerprintUserVerifier(_ fingerprintUserVerifier: any FingerprintUserVerifier) -> Self {
        let box = MainActorBox(fingerprintUserVerifier)
        return with { $0.participants.fingerprintUserVerifier = box }
    }

    func allowDevicePasscodeAsFallback(_ isAllowed: Bool) -> Self {
        with { $0.order.choices.allowsDevicePasscodeFallback = isAllowed }
    }

    func invalidateOnNewOsBiometrics(_ invalidates: Bool) -> Self {
        with { $0.order.choices.invalidatesOnNewBiometrics = invalidates }
    }

    func allowClass2Sensors(_ isAllowed: Bool) -> Self { with { $0.order.choices.allowsClass2Sensors = isAllowed } }

    func allowStrongBox(_ isAllowed: Bool) -> Self { self }

    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self { with { $0.onSuccess = { _ in handler() } } }

    func onError(_ handler: @escaping @MainActor (OperationError) -> Void) -> Self { with { $0.onError = handler } }

    func execute() {
        let draft = draft.withLock { $0 }
        run.execute(onSuccess: draft.onSuccess, onError: draft.onError, Self.body(draft, environment))
    }

    func perform() async throws(OperationError) {
        let draft = draft.withLock { $0 }
        try await run.result(of: Self.body(draft, environment)).get()
    }

    func cancel() { run.cancel() }

    private static func body(
        _ draft: Draft, _ environment: ClientEnvironment
    ) -> @Sendable () async -> Result<Void, OperationError> {
        { await environment.attempt { () async throws(OperationError) in try await register(draft, environment) } }
    }

    private static func register(_ draft: Draft, _ environment: ClientEnvironment) async throws(OperationError) {
        do throws(CeremonyFailure) {
            let exchange = BackendExchange(
                environment, headers: draft.headers, credentials: try SessionCredentials(draft.authorization))
            let performer = RegistrationPerformer(draft, environment, exchange)
            let machine = RegistrationMachine(order(of: draft, environment))
            try await OperationRunner.run(machine) { await performer.perform($0) }
        } catch {
            throw OperationError(error)
        }
    }

    private static func order(of draft: Draft, _ environment: ClientEnvironment) -> RegistrationMachine.Order {
        var order = draft.order
        order.hasSelector = draft.participants.authenticatorSelector != nil
        order.enrollable = draft.participants.enrollable(with: environment.traits)
        order.refusesContradictions = environment.traits.refusesContradictions
        environment.warn(about: order.choices)
        return order
    }
}
