/// Takes the choice of the user; the first call wins, later ones do nothing.
public protocol AccountSelectionHandler: Sendable {
    /// Chooses an account by its user name; a name that is none of the accounts ends the operation with an error.
    func username(_ username: String)

    /// Ends the operation with `userCanceled`.
    func cancel()

    /// Ends the operation with `userCanceled`; `report` tells the server that the user did not ask for it.
    func cancel(reporting report: CancellationReport)
}

extension AccountSelectionHandler {
    /// The same as ``cancel()``, for handlers that an application pretends in its tests.
    public func cancel(reporting report: CancellationReport) { cancel() }
}
