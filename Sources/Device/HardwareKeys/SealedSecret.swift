/// A ``VaultSecret`` as its vault sealed it: only the same vault on the same device opens it again.
///
/// The bytes are no secret and mean nothing outside the vault; the code that sealed them keeps them.
public struct SealedSecret: Hashable, Sendable {
    /// The most bytes a vault makes.
    public static let byteLimit = 2_048

    /// The sealed form.
    public let bytes: [UInt8]

    /// Takes stored bytes; nil when they are empty or more than ``byteLimit``.
    public init?(bytes: [UInt8]) {
        guard (1...Self.byteLimit).contains(bytes.count) else { return nil }
        self.bytes = bytes
    }
}
