import Locking
import UAF
import UAFClient

/// An authentication, or the confirmation of a transaction, that a server has begun out of band.
///
/// Required beside selector and verifier is the account selector: the request names no user.
public protocol OutOfBandAuthentication: AuthenticatingOperation {
    /// Selector with which the user chooses among the accounts that the server accepts, after the text of a transaction
    /// was shown.
    @discardableResult
    func accountSelector(_ accountSelector: any AccountSelector) -> Self

    /// Linker that asks for the digits of the screen where the operation was begun.
    ///
    /// Without it only operations can be confirmed that need no such link; demands for a link end with `Unknown` and
    /// ``MissingParameterError`` for `channelLinker`, and the server is told.
    @discardableResult
    func channelLinker(_ channelLinker: any ChannelLinker) -> Self
}

/// An authentication out of band that is being put together, and then run once.
final class OutOfBandAuthenticationOperation: OutOfBandAuthentication, AuthenticationBuilder {
    private let environment: ClientEnvironment
    private let draft: Lock<AuthenticationDraft>
    private let run = OperationRun<(any AuthorizationProvider)?, AuthenticationError>(
        reuse: .Unknown(cause: OperationReuseError()))

    init(_ environment: ClientEnvironment, _ request: AuthenticationRequest, _ redemption: OutOfBandRedemption) {
        self.environment = environment
        var draft = AuthenticationDraft()
        draft.parameters.subject = .anyUser(request, expiry: redemption.expiry, redemption.server)
        draft.parameters.linking = redemption.linking
        draft.channelBinding = redemption.channelBinding
        self.draft = Lock(draft)
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
