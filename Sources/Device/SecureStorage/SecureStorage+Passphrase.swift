import Octets

extension SecureStorage {
    /// A passphrase on its way into a storage; it is wiped when nobody holds it any more.
    ///
    /// It has no description and no coding.
    public final class Passphrase: Sendable {
        private let octets: SecretOctets

        /// Takes a copy of the bytes; wiping the source is the caller's business.
        public init(copying bytes: some Collection<UInt8>) {
            octets = SecretOctets(copying: bytes)
        }

        /// Lends the bytes for the length of `body`; the pointer must not leave it.
        ///
        /// Throws what `body` throws.
        public func withUnsafeBytes<Result, Failure: Error>(
            _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            try octets.withUnsafeBytes(body)
        }
    }
}
