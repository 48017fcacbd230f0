/// Answers an ``AuthenticationRequest``.
///
/// FIDO UAF Protocol 1.1, 3.5.5.
public struct AuthenticationResponse: Hashable, Sendable {
    /// Copy of the request's header.
    public let header: OperationHeader
    /// What the assertions are bound to.
    public let finalChallenge: FinalChallengeParameters
    /// One entry for each authenticator that signed; not empty.
    public let assertions: [AuthenticatorSignAssertion]

    /// Makes an answer.
    public init(
        header: OperationHeader, finalChallenge: FinalChallengeParameters, assertions: [AuthenticatorSignAssertion]
    ) {
        self.header = header
        self.finalChallenge = finalChallenge
        self.assertions = assertions
    }
}
