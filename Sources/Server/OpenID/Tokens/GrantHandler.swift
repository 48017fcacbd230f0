/// Way to tokens at the token endpoint, by `grant_type` (RFC 6749, 1.3 and 4.5).
///
/// The endpoint has authenticated the client. A grant checks that the client may use it, and that what the request brings holds
/// and is this client's.
protocol GrantHandler: Sendable {
    /// Value of `grant_type`.
    var type: String { get }

    /// Token response (RFC 6749, 5.1), bound to the key of `proof` when there is one; throws the refusal in the words of the
    /// standard of the grant.
    func tokens(
        for request: ClientRequest, of client: RegisteredClient, with proof: KeyProof?
    ) async throws(OpenIDRefusal) -> [UInt8]
}
