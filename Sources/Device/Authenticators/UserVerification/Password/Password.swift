package import Octets

/// Text that a user entered; wiped at the end of its lifetime.
///
/// It is kept in Unicode's composed form (NFC), so that the same text typed on another keyboard is the same password.
/// Beyond that every byte counts: letter case, spaces and look-alikes differ. There is no rule of composition; an
/// application may have one.
package struct Password: ~Copyable, Sendable {
    /// Numbers of bytes of UTF-8 after normalization.
    package static let byteCounts = 1...1_024

    private let octets: SecretOctets

    /// Takes a text; nil when it is empty, too long, or has control characters.
    package init?(_ text: String) {
        self.init(SecretOctets(copying: text.utf8))
    }

    /// Takes UTF-8; nil when it is none, empty, too long, or has control characters.
    ///
    /// ASCII stays in memory that is wiped. Other text passes once through a string of the library that normalizes it,
    /// and of that the copies cannot be wiped.
    package init?(_ secret: borrowing SecretOctets) {
        guard let composed = UserSecretNormalization.composed(secret, atMost: Self.byteCounts.upperBound),
            Self.byteCounts.contains(composed.count)
        else { return nil }
        octets = composed
    }

    /// Number of bytes after normalization.
    package var byteCount: Int { octets.count }

    /// Number of user-perceived characters (grapheme clusters).
    package var characterCount: Int {
        octets.withUnsafeBytes { bytes in
            // Without a string, which nobody could wipe; control characters, which join each other, do not come here.
            bytes.allSatisfy { $0 < 0x80 } ? bytes.count : String(decoding: bytes, as: UTF8.self).count
        }
    }

    /// Lends the UTF-8 for the length of `body`; the pointer must not leave it.
    package borrowing func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try octets.withUnsafeBytes(body)
    }
}
