/// Takes the choice of the user; the first call wins, later ones do nothing.
public protocol AuthenticatorSelectionHandler: Sendable {
    /// Chooses an authenticator of the context by its AAID.
    func aaid(_ aaid: String)

    /// Ends the operation with `userCanceled`.
    func cancel()
}
