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

    /// Called once when the payload led to no operation.
    @discardableResult @preconcurrency
    func onError(_ handler: @escaping @MainActor (OutOfBandOperationError) -> Void) -> Self

    /// Redeems the token and gives the operation that the server has begun; the closures are not needed then.
    func perform() async throws(OutOfBandOperationError) -> OutOfBandStep
}
