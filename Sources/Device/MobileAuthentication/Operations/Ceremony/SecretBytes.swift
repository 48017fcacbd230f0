package import Octets
package import UAFClient

/// A secret that the user typed; the memory is overwritten when the last owner releases it.
///
/// It has no description, no coding and no comparison.
public final class SecretBytes: Sendable {
    private let octets: SecretOctets

    /// Copies bytes; wiping the source is up to the caller.
    public init(copying bytes: some Collection<UInt8>) { octets = SecretOctets(copying: bytes) }

    /// Takes the UTF-8 bytes of a text.
    ///
    /// A `String` cannot be wiped: use ``init(copying:)`` where the text does not exist as a `String` anyway.
    public convenience init(_ text: String) { self.init(copying: text.utf8) }

    /// Number of bytes.
    public var count: Int { octets.count }

    package func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try octets.withUnsafeBytes(body)
    }

    /// An independent copy for an owner that takes the bytes over.
    package func duplicate() -> SecretOctets { octets.duplicate() }
}

extension SecretBytes: CustomReflectable {
    /// Empty, so that reflection does not expose the secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Proof that the secret of a key was entered just now, and the means to replace it.
package protocol OpenedSecret: Sendable {
    func isSame(as new: SecretBytes) async throws(CeremonyFailure) -> Bool

    /// Puts the key under a new secret; from then on the old one is wrong.
    func replace(with new: SecretBytes) async throws(CeremonyFailure)
}
