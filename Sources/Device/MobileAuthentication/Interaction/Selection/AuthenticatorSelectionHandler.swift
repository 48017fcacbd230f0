/// Takes the choice of the user; the first call wins, later ones do nothing.
public protocol AuthenticatorSelectionHandler: Sendable {
    /// Chooses an authenticator of the context by its AAID.
    func aaid(_ aaid: String)

    /// Ends the operation with `userCanceled`.
    func cancel()

    /// Ends the operation with `userCanceled`; `report` tells the server that the user did not ask for it.
    func cancel(reporting report: CancellationReport)
}

extension AuthenticatorSelectionHandler {
    /// The same as ``cancel()``, for handlers that an application pretends in its tests.
    public func cancel(reporting report: CancellationReport) { cancel() }
}
