/// Redeems what a payload holds and hands over the operation that the server has begun.
///
/// Required are the payload and, in the callback form, a closure for what may come. The token is redeemed at the
/// configured server or at one that an account of this device is registered with, and nowhere else.
public protocol OutOfBandOperation: HttpOperation {
    /// The payload, decoded.
    @discardableResult
    func payload(_ payload: OutOfBandPayload) -> Self

    /// Called once when the server wants a registration; fill it in and start it.
    @discardableResult @preconcurrency
    func onRegistration(_ handler: @escaping @MainActor (any OutOfBandRegistration) -> Void) -> Self

    /// Called once when the server wants an authentication; fill it in and start it.
    @discardableResult @preconcurrency
    func onAuthentication(_ handler: @escaping @MainActor (any OutOfBandAuthentication) -> Void) -> Self

    /// Called once when the server has taken registrations of this device back; they are gone here as well by then.
    ///
    /// Nobody is asked: the server has forgotten the keys when the token is redeemed. Without this closure they go all
    /// the same, and the operation ends with `Unknown` and ``UnhandledOperationError``.
    @discardableResult @preconcurrency
    func onDeregistration(_ handler: @escaping @MainActor () -> Void) -> Self

    /// Called once when the payload led to no operation.
    @discardableResult @preconcurrency
    func onError(_ handler: @escaping @MainActor (OutOfBandOperationError) -> Void) -> Self

    /// Redeems the token and gives the operation that the server has begun; the closures are not needed then.
    func perform() async throws(OutOfBandOperationError) -> OutOfBandStep
}
