import Crypto

extension FinalChallengeParameters {
    /// SHA-256 of the base64url text, which is what the authenticator signs (FIDO UAF Protocol 1.1, 3.4.6.1).
    public var hash: [UInt8] { Self.hash(ofEncoded: encoded) }

    /// SHA-256 of a `fcParams` text as it travels, whether or not it can be read.
    public static func hash(ofEncoded text: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(text.utf8)))
    }
}
