package import Octets

/// Digits that a user entered; wiped at the end of their lifetime.
package struct PIN: ~Copyable, Sendable {
    /// Numbers of digits that any policy may allow.
    package static let digitCounts = 4...64

    private let digits: SecretOctets

    /// Takes 4 to 64 ASCII digits; nil for anything else.
    package init?(_ text: String) {
        self.init(octets: text.utf8)
    }

    /// Takes the ASCII bytes of 4 to 64 digits; nil for anything else.
    package init?(_ secret: borrowing SecretOctets) {
        guard secret.withUnsafeBytes({ Self.isAcceptable($0) }) else { return nil }
        digits = secret.duplicate()
    }

    /// Takes the ASCII bytes of 4 to 64 digits; nil for anything else.
    ///
    /// Wiping the source is the caller's business.
    package init?(octets: some Collection<UInt8>) {
        guard Self.isAcceptable(octets) else { return nil }
        digits = SecretOctets(copying: octets)
    }

    /// Number of digits.
    package var digitCount: Int { digits.count }

    /// Lends the ASCII bytes for the length of `body`; the pointer must not leave it.
    package borrowing func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try digits.withUnsafeBytes(body)
    }

    private static func isAcceptable(_ octets: some Collection<UInt8>) -> Bool {
        digitCounts.contains(octets.count)
            && octets.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
