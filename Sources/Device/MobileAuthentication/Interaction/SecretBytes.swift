package import Octets

/// A secret that the user typed; the memory is overwritten when the last owner lets go of it.
///
/// It has no description, no coding and no comparison.
public final class SecretBytes: Sendable {
    private let octets: SecretOctets

    /// Takes a copy of bytes; wiping the source is the business of the caller.
    public init(copying bytes: some Collection<UInt8>) {
        octets = SecretOctets(copying: bytes)
    }

    /// Takes the UTF-8 bytes of a text.
    ///
    /// A `String` cannot be wiped: use ``init(copying:)`` where the text does not exist as a `String` anyway.
    public convenience init(_ text: String) {
        self.init(copying: text.utf8)
    }

    /// Number of bytes.
    public var count: Int { octets.count }

    /// Lends the bytes for the length of `body`; they must not leave it.
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try octets.withUnsafeBytes(body)
    }

    /// An independent copy for an owner that takes the bytes over.
    package func duplicate() -> SecretOctets { octets.duplicate() }
}

extension SecretBytes: CustomReflectable {
    /// Nothing to look at.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
