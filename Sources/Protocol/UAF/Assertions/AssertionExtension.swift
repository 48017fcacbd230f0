/// An extension inside an assertion; signed when it stands in the signed data.
///
/// FIDO UAF Authenticator Commands 1.1, 5.2 (`TAG_EXTENSION`).
public struct AssertionExtension: Hashable, Sendable {
    /// Which extension.
    public let id: ExtensionID
    /// Its data.
    public let data: [UInt8]
    /// Whether a receiver that does not know the extension must refuse the assertion.
    public let failIfUnknown: Bool

    /// Makes an extension.
    public init(id: ExtensionID, data: [UInt8], failIfUnknown: Bool) {
        self.id = id
        self.data = data
        self.failIfUnknown = failIfUnknown
    }
}
