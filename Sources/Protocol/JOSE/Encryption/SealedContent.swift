/// Output of an authenticated cipher: the last three parts of a compact JWE.
package struct SealedContent: Hashable, Sendable {
    package let nonce: [UInt8]
    package let ciphertext: [UInt8]
    package let tag: [UInt8]

    /// Creates the content from its parts; their sizes are judged by ``ContentEncryption``.
    package init(nonce: [UInt8], ciphertext: [UInt8], tag: [UInt8]) {
        self.nonce = nonce
        self.ciphertext = ciphertext
        self.tag = tag
    }
}
