/// Takes what the user read or saw on the other screen; the first call wins, later ones do nothing.
public protocol ChannelLinkingHandler: Sendable {
    /// Hands over the digits that the user typed.
    ///
    /// Where digits are compared, others than those of the context end the operation as canceled. Text that is not so
    /// many digits leads to another question. Wrong digits end the operation: the server counts them.
    func digits(_ digits: String)

    /// The user saw the same digits on both screens; where digits are typed, it ends the operation as canceled.
    func confirm()

    /// Ends the operation with `userCanceled`.
    func cancel()

    /// Ends the operation with `userCanceled`; `report` tells the server that the user did not ask for it.
    func cancel(reporting report: CancellationReport)
}
