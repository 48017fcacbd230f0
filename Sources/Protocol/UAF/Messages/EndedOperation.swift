/// What a client sends when an operation ended on the device: a response without any assertion.
///
/// The protocol knows no such message (``OperationResponse`` refuses it); it tells the server that nothing more will come
/// (`backend-http-api` 1.6, error report). Header and final challenge are those of the response that will not come.
public struct EndedOperation: Hashable, Sendable {
    /// Copy of the request's header; a deregistration has no response that could fail.
    public let header: OperationHeader
    /// What the assertions would have been bound to.
    public let finalChallenge: FinalChallengeParameters
}
