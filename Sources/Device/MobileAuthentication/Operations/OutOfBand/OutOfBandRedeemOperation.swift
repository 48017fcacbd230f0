import BackendAPI
import Locking
import UAF
import UAFClient

/// Path from a payload to an operation, put together and then run once.
final class OutOfBandRedeemOperation: OutOfBandOperation {
    /// Parameters that the application has set so far.
    private struct Draft: Sendable {
        var payload: OutOfBandPayload?
        var headers: [String: String] = [:]
        var participants = Participants()
        var onRegistration: (@MainActor (any OutOfBandRegistration) -> Void)?
        var onAuthentication: (@MainActor (any OutOfBandAuthentication) -> Void)?
        var onDeregistration: (@MainActor () -> Void)?
        var onError: (@MainActor (OutOfBandOperationError) -> Void)?
        /// Whether only operations with a closure are accepted.
        var needsClosures = false

        func parameters(_ environment: ClientEnvironment) -> OutOfBandMachine<SDKValues>.Parameters {
            var parameters = OutOfBandMachine<SDKValues>.Parameters(server: environment.server)
            parameters.content = payload?.content
            parameters.redeemOrigins = environment.configuration.additionalRedeemOrigins.map(ServerAddress.init)
            parameters.unhandled = OperationKind.allCases.reduce(into: [:]) { missing, operation in
                missing[operation] = missingHandler(for: operation).map { OutOfBandFailure.Unhandled(handler: $0) }
            }
            return parameters
        }

        /// The builder method that would have to be called before such an operation can be redeemed.
        private func missingHandler(for operation: OperationKind) -> String? {
            switch operation {
            case .registration where needsClosures && onRegistration == nil: "onRegistration"
            case .authentication where needsClosures && onAuthentication == nil: "onAuthentication"
            case .deregistration where needsClosures && onDeregistration == nil: "onDeregistration"
            case .deregistration where participants.deregistrationConfirmer == nil: "deregistrationConfirmer"
            case .registration, .authentication, .deregistration: nil
            }
        }
    }

    private let environment: ClientEnvironment
    private let draft = Lock(Draft())
    private let run = OperationRun<OutOfBandStep, OutOfBandOperationError>(
        reuse: .Unknown(cause: OperationReuseError()))

    init(_ environment: ClientEnvironment) { self.environment = environment }

    private func with(_ change: (inout sending Draft) -> Void) -> Self {
        draft.withLock { change(&$0) }
        return self
    }

    func payload(_ payload: OutOfBandPayload) -> Self { with { $0.payload = payload } }

    func requestHeaders(_ headers: [String: String]) -> Self { with { $0.headers = headers } }

    func onRegistration(_ handler: @escaping @MainActor (any OutOfBandRegistration) -> Void) -> Self {
        with { $0.onRegistration = handler }
    }

    func onAuthentication(_ handler: @escaping @MainActor (any OutOfBandAuthentication) -> Void) -> Self {
        with { $0.onAuthentication = handler }
    }

    func deregistrationConfirmer(_ deregistrationConfirmer: any DeregistrationConfirmer) -> Self {
        let box = MainActorBox(deregistrationConfirmer)
        return with { $0.participants.deregistrationConfirmer = box }
    }

    func onDeregistration(_ handler: @escaping @MainActor () -> Void) -> Self {
        with { $0.onDeregistration = handler }
    }

    func onError(_ handler: @escaping @MainActor (OutOfBandOperationError) -> Void) -> Self {
        with { $0.onError = handler }
    }

    func execute() {
        var draft = draft.withLock { $0 }
        draft.needsClosures = true
        let (onRegistration, onAuthentication) = (draft.onRegistration, draft.onAuthentication)
        let onDeregistration = draft.onDeregistration
        let onStep: @MainActor (OutOfBandStep) -> Void = { step in
            switch step {
            case .registration(let registration): onRegistration?(registration)
            case .authentication(let authentication): onAuthentication?(authentication)
            case .deregistration: onDeregistration?()
            }
        }
        run.execute(onSuccess: onStep, onError: draft.onError, Self.body(draft, environment))
    }

    func perform() async throws(OutOfBandOperationError) -> OutOfBandStep {
        let draft = draft.withLock { $0 }
        return try await run.result(of: Self.body(draft, environment)).get()
    }

    func cancel() { run.cancel() }

    private static func body(
        _ draft: Draft, _ environment: ClientEnvironment
    ) -> @Sendable () async -> Result<OutOfBandStep, OutOfBandOperationError> {
        {
            await environment.attempt { () async throws(OutOfBandOperationError) in
                do throws(OutOfBandFailure) {
                    let outcome = try await OutOfBandPerformer.redeem(
                        draft.parameters(environment), headers: draft.headers, draft.participants, environment)
                    return step(after: outcome, environment)
                } catch {
                    throw OutOfBandOperationError(error)
                }
            }
        }
    }

    private static func step(after outcome: OutOfBandOutcome, _ environment: ClientEnvironment) -> OutOfBandStep {
        switch outcome {
        case .registration(let request, let redemption):
            .registration(OutOfBandRegistrationOperation(environment, request, redemption))
        case .authentication(let request, let redemption):
            .authentication(OutOfBandAuthenticationOperation(environment, request, redemption))
        case .deregistered: .deregistration
        }
    }
}
