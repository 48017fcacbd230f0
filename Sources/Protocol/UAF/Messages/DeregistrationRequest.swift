/// Tells the client to forget keys; there is no answer.
///
/// FIDO UAF Protocol 1.1, 3.6.1.
public struct DeregistrationRequest: Hashable, Sendable {
    /// Header; its operation is ``Operation/deregistration``.
    public let header: OperationHeader
    /// What to forget; not empty, and an entry other than ``DeregisterAuthenticator/key(_:)`` stands alone.
    public let authenticators: [DeregisterAuthenticator]

    /// Makes a request to forget the given keys.
    public init(header: OperationHeader, authenticators: [DeregisterAuthenticator]) {
        self.header = header
        self.authenticators = authenticators
    }
}
