/// Pseudonyms of the enrolled user data that a signature was made with; both are specific to one key.
///
/// FIDO UAF Registry 1.1, 4.2 (`TAG_USER_VERIFICATION_INDEX`, `TAG_USER_VERIFICATION_STATE`). A server compares them
/// with those of the registration to notice another finger (index) or another enrolled set (state).
public struct UserVerificationRecord: Hashable, Sendable {
    /// Pseudonym of the enrolled record that was used (UVI).
    public let index: [UInt8]?
    /// Pseudonym of the whole enrolled set (UVS).
    public let state: [UInt8]?

    /// States what is known.
    public init(index: [UInt8]? = nil, state: [UInt8]? = nil) {
        self.index = index
        self.state = state
    }
}
