/// What a server said to a UAF response.
package enum ServerVerdict: Sendable {
    /// Status 1200, with what the server issued.
    case accepted((any AuthorizationProvider)?)
    /// Status 1202: later.
    case postponed
    /// Any other status.
    case refused(ServerStatus)
    /// No answer that says whether the response was taken.
    case unknown(any Error)
}
