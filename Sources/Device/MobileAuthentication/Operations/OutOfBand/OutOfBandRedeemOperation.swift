import BackendAPI
import UAF
import UAFClient

/// Path from a payload to an operation.
struct OutOfBandRedeemOperation: OutOfBandOperation, DraftedOperation {
    struct Draft: HeaderDraft, ParticipantDraft {
        var payload: OutOfBandPayload?
        var headers: [String: String] = [:]
        var participants = Participants()
        var onRegistration: (@MainActor (any OutOfBandRegistration) -> Void)?
        var onAuthentication: (@MainActor (any OutOfBandAuthentication) -> Void)?
        var onDeregistration: (@MainActor () -> Void)?
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

        @MainActor
        func handOver(_ step: OutOfBandStep) {
            switch step {
            case .registration(let registration): onRegistration?(registration)
            case .authentication(let authentication): onAuthentication?(authentication)
            case .deregistration: onDeregistration?()
            }
        }
    }

    let state: OperationState<Draft, OutOfBandStep, OutOfBandOperationError>

    init(_ environment: ClientEnvironment) {
        state = OperationState(Draft()) { draft in
            await environment.attempt(orThrow: OutOfBandOperationError.init) { () async throws(OutOfBandFailure) in
                let outcome = try await OutOfBandPerformer.redeem(
                    draft.parameters(environment), headers: draft.headers, draft.participants, environment)
                return OutOfBandStep(after: outcome, environment)
            }
        }
    }

    func payload(_ payload: OutOfBandPayload) -> Self { with { $0.payload = payload } }

    func onRegistration(_ handler: @escaping @MainActor (any OutOfBandRegistration) -> Void) -> Self {
        with { $0.onRegistration = handler }
    }

    func onAuthentication(_ handler: @escaping @MainActor (any OutOfBandAuthentication) -> Void) -> Self {
        with { $0.onAuthentication = handler }
    }

    func onDeregistration(_ handler: @escaping @MainActor () -> Void) -> Self {
        with { $0.onDeregistration = handler }
    }

    func deregistrationConfirmer(_ confirmer: any DeregistrationConfirmer) -> Self {
        add(confirmer, \.deregistrationConfirmer)
    }

    func execute() {
        state.change { content in
            content.draft.needsClosures = true
            content.onSuccess = { [draft = content.draft] in draft.handOver($0) }
        }
        state.execute()
    }

    func perform() async throws(OutOfBandOperationError) -> OutOfBandStep { try await state.perform() }
}

extension OutOfBandStep {
    fileprivate init(after outcome: OutOfBandOutcome, _ environment: ClientEnvironment) {
        self =
            switch outcome {
            case .registration(let request, let redemption):
                .registration(OutOfBandRegistrationOperation(environment, request, redemption))
            case .authentication(let request, let redemption):
                .authentication(OutOfBandAuthenticationOperation(environment, request, redemption))
            case .deregistered: .deregistration
            }
    }
}
