import Crypto

extension Transaction {
    /// SHA-256 of the decoded content, which is what the authenticator signs (FIDO UAF Protocol 1.1, 3.5.7.5).
    public var contentHash: [UInt8] { Array(SHA256.hash(data: content)) }
}
