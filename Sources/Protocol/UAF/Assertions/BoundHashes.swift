/// The hashes that bind an authentication to its request.
///
/// FIDO UAF Authenticator Commands 1.1, 5.2.2.
public struct BoundHashes: Hashable, Sendable {
    /// Hash of the `fcParams` text.
    public let finalChallenge: [UInt8]
    /// Hash of the transaction content that was confirmed; empty when there was none.
    public let transactionContent: [UInt8]

    /// Creates the hashes of one authentication.
    public init(finalChallenge: [UInt8], transactionContent: [UInt8] = []) {
        self.finalChallenge = finalChallenge
        self.transactionContent = transactionContent
    }
}
