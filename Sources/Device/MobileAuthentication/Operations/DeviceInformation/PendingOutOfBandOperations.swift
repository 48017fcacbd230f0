/// Asks every server of this device for operations that were neither redeemed nor ran out: for lost push messages.
///
/// It needs no user, and is not meant for polling.
public protocol PendingOutOfBandOperations: HttpOperation {
    /// Called once with what waits, and with what went wrong.
    @discardableResult @preconcurrency
    func onResult(_ handler: @escaping @MainActor (PendingOutOfBandOperationsResult) -> Void) -> Self

    /// Runs the operation and waits for its end.
    func perform() async -> PendingOutOfBandOperationsResult
}
