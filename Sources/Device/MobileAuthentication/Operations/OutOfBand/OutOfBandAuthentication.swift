/// An authentication, or the confirmation of a transaction, that a server has begun out of band.
///
/// Required beside selector and verifier is the account selector: the request names no user.
public protocol OutOfBandAuthentication: AuthenticatingOperation {
    /// Who chooses among the accounts that the server accepts, after showing the text of a transaction.
    @discardableResult
    func accountSelector(_ accountSelector: any AccountSelector) -> Self

    /// Who asks for the digits of the screen where the operation was begun.
    ///
    /// Without it only operations can be confirmed that need no such link; others end with `Unknown` and
    /// ``MissingParameterError`` for `channelLinker`, and the server is told.
    @discardableResult
    func channelLinker(_ channelLinker: any ChannelLinker) -> Self
}
