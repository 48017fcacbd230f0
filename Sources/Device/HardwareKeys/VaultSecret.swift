import Octets

/// Thirty-two secret bytes that enter or leave a vault; wiped at the end of their lifetime.
///
/// It is what a vault seals and opens, what a key is authorised with, and what a key agreement or a device secret
/// gives. It has no description and no coding.
///
/// ```swift
/// let secret = VaultSecret.random()
/// store(try await vault.seal(secret, behind: nil).bytes)
///
/// guard let sealed = SealedSecret(bytes: stored()) else { return nil }
/// let opened = try await vault.unseal(sealed, authorizedBy: .none)
/// ```
public final class VaultSecret: Sendable {
    /// Number of bytes.
    public static let byteCount = 32

    private let octets: SecretOctets

    /// Takes a copy of ``byteCount`` bytes; nil for any other number.
    ///
    /// Wiping the source is the caller's business.
    public init?(copying bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        octets = SecretOctets(copying: bytes)
    }

    private init(_ octets: consuming SecretOctets) { self.octets = octets }

    /// The bytes that `fill` writes over zeros.
    convenience init(fill: (UnsafeMutableRawBufferPointer) -> Void) {
        self.init(SecretOctets(count: Self.byteCount, fill: fill))
    }

    /// Fresh bytes from the generator of the operating system.
    public static func random() -> VaultSecret { VaultSecret(FreshOctets.secret(count: byteCount)) }

    /// Lends the bytes for the length of `body`; the pointer must not leave it.
    ///
    /// Throws what `body` throws.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try octets.withUnsafeBytes(body)
    }
}
