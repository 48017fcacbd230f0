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

struct OutOfBandAuthenticationOperation: OutOfBandAuthentication, DraftedOperation {
    let state: OperationState<AuthenticationDraft, (any AuthorizationProvider)?, AuthenticationError>

    init(_ environment: ClientEnvironment, _ request: AuthenticationRequest, _ redemption: OutOfBandRedemption) {
        var draft = AuthenticationDraft()
        draft.parameters.subject = .anyUser(request, expiry: redemption.expiry, redemption.server)
        draft.parameters.linking = redemption.linking
        draft.channelBinding = redemption.channelBinding
        state = OperationState(draft) { await AuthenticationPerformer.attempt($0, environment) }
    }

    func channelLinker(_ linker: any ChannelLinker) -> Self { add(linker, \.channelLinker) }

    func perform() async throws(AuthenticationError) -> (any AuthorizationProvider)? { try await state.perform() }
}
