/// Redeems the token of a payload and provides the operation that the server has begun.
///
/// The address in the payload tells which kind of operation it is. One without a handler ends with `Unknown` and
/// ``UnhandledOperationError`` before its token is redeemed, so that another application, or another try, can take it.
///
/// Required are the payload and, in the callback form, a closure for what may come. The token is redeemed at the
/// configured server or at one that an account of this device is registered with, and nowhere else.
///
/// ```swift
/// let payload = try client.operations.outOfBandPayloadDecode.base64UrlEncoded(scannedText).perform()
/// let operation = client.operations.outOfBandOperation.payload(payload).deregistrationConfirmer(confirmer)
/// switch try await operation.perform() {
/// case .registration(let registration):
///     try await registration.deviceInformation(information).authenticatorSelector(selector).pinEnroller(enroller)
///         .perform()
/// case .authentication(let authentication):
///     _ = try await authentication.accountSelector(selector).authenticatorSelector(selector)
///         .pinUserVerifier(verifier).channelLinker(linker).perform()
/// case .deregistration:
///     show("Registrations of this device were taken back.")
/// }
/// ```
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

    /// Confirmer that asks the user before registrations of this device are removed.
    ///
    /// Without one no deregistration is carried out: the operation ends with `Unknown` and ``UnhandledOperationError``,
    /// and its token stays unredeemed.
    @discardableResult
    func deregistrationConfirmer(_ deregistrationConfirmer: any DeregistrationConfirmer) -> Self

    /// Called once when the server has removed registrations of this device, with the consent of the user; they are
    /// gone here as well by then.
    ///
    /// In the callback form an application without this closure has no deregistration carried out.
    @discardableResult @preconcurrency
    func onDeregistration(_ handler: @escaping @MainActor () -> Void) -> Self

    /// Called once when the payload led to no operation.
    @discardableResult @preconcurrency
    func onError(_ handler: @escaping @MainActor (OutOfBandOperationError) -> Void) -> Self

    /// Redeems the token and gives the operation that the server has begun; the closures are not needed then.
    func perform() async throws(OutOfBandOperationError) -> OutOfBandStep
}

extension OutOfBandOperation {
    /// Default of implementations without deregistration: the confirmer is ignored.
    @discardableResult
    public func deregistrationConfirmer(_ deregistrationConfirmer: any DeregistrationConfirmer) -> Self { self }
}

/// Operation that a server has begun out of band.
public enum OutOfBandStep: Sendable {
    /// The user is to register an authenticator of this device.
    case registration(any OutOfBandRegistration)
    /// The user is to authenticate, or to confirm a transaction.
    case authentication(any OutOfBandAuthentication)
    /// The user has agreed, the server has removed registrations of this device, and they are gone here as well.
    case deregistration
}
