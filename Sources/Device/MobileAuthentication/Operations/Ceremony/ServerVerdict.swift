/// What a server said to a UAF response.
package enum ServerVerdict: Sendable {
    /// Status 1200, with what the server issued, and the identifier under which it keeps the device of a registration.
    case accepted((any AuthorizationProvider)?, target: String? = nil)
    /// Status 1202: later.
    case postponed
    /// Any other status.
    case refused(ServerStatus)
    /// An HTTP status that says that the response was not taken.
    case rejected(CeremonyFailure)
    /// No answer that says whether the response was taken.
    case unknown(any Error)
}
