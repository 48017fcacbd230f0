import Synchronization
import UAF

/// An authentication out of band that is being put together, and then run once.
final class OutOfBandAuthenticationOperation: OutOfBandAuthentication, AuthenticationBuilder {
    private let environment: ClientEnvironment
    private let draft: Mutex<AuthenticationDraft>
    private let run = OperationRun<(any AuthorizationProvider)?, AuthenticationError>(
        reuse: .Unknown(cause: OperationReuseError()))

    init(_ environment: ClientEnvironment, _ request: AuthenticationRequest, _ redemption: OutOfBandRedemption) {
        self.environment = environment
        var draft = AuthenticationDraft()
        draft.order.subject = .whoever(request, expiry: redemption.expiry, redemption.server)
        draft.order.linking = redemption.linking.map(LinkingDemand.init)
        self.draft = Mutex(draft)
    }

    func with(_ change: (inout AuthenticationDraft) -> Void) -> Self {
        draft.withLock { change(&$0) }
        return self
    }

    func accountSelector(_ accountSelector: any AccountSelector) -> Self {
        let box = MainActorBox(accountSelector)
        return with { $0.participants.accountSelector = box }
    }

    func channelLinker(_ channelLinker: any ChannelLinker) -> Self {
        let box = MainActorBox(channelLinker)
        return with { $0.participants.channelLinker = box }
    }

    func execute() {
        let draft = draft.withLock { $0 }
        run.execute(
            onSuccess: draft.onSuccess, onError: draft.onError, AuthenticationPerformer.body(draft, environment))
    }

    func perform() async throws(AuthenticationError) -> (any AuthorizationProvider)? {
        let draft = draft.withLock { $0 }
        return try await run.result(of: AuthenticationPerformer.body(draft, environment)).get()
    }

    func cancel() { run.cancel() }
}
