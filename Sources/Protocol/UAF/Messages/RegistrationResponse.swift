/// Answers a ``RegistrationRequest``.
///
/// FIDO UAF Protocol 1.1, 3.4.3.
public struct RegistrationResponse: Hashable, Sendable {
    /// Copy of the request's header.
    public let header: OperationHeader
    /// What the assertions are bound to.
    public let finalChallenge: FinalChallengeParameters
    /// One entry for each authenticator that made a key; not empty.
    public let assertions: [AuthenticatorRegistrationAssertion]

    /// Makes an answer.
    public init(
        header: OperationHeader, finalChallenge: FinalChallengeParameters,
        assertions: [AuthenticatorRegistrationAssertion]
    ) {
        self.header = header
        self.finalChallenge = finalChallenge
        self.assertions = assertions
    }
}
