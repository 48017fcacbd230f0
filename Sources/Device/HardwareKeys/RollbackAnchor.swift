/// Monotonic counter that cannot be set back; it tells a file from an older copy of itself.
///
/// A device has few of them: one serves a whole application.
///
/// ```swift
/// guard try await anchor.value() == recorded else { return nil }  // An older copy was put back.
/// let next = try await anchor.advance()  // To be recorded with the new content.
/// ```
public protocol RollbackAnchor: Sendable {
    /// The count now.
    ///
    /// Throws ``KeyVaultError/unrecoverable`` when the counter is gone, and the cases for hardware that is out of
    /// reach.
    func value() async throws(KeyVaultError) -> UInt64

    /// The count with which the counter began; nil when that is not known.
    ///
    /// A higher count says that something was recorded. Throws ``KeyVaultError/damaged`` when the record of it was
    /// changed, and the cases for hardware that is out of reach.
    func firstValue() async throws(KeyVaultError) -> UInt64?

    /// Adds one, durably, and returns the new count; it is exactly one more than the count before.
    ///
    /// Throws what ``value()`` throws.
    func advance() async throws(KeyVaultError) -> UInt64
}

extension RollbackAnchor {
    /// Not known, unless an anchor says otherwise.
    public func firstValue() async throws(KeyVaultError) -> UInt64? { nil }
}
