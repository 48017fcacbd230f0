/// The counters in a registration; both 0 when the authenticator does not count.
///
/// FIDO UAF Authenticator Commands 1.1, 5.2.1.
public struct Counters: Hashable, Sendable {
    /// An authenticator that does not count.
    public static let unsupported = Counters(signatures: 0, registrations: 0)

    /// Signatures made with the key (or with all keys) so far.
    public let signatures: UInt32
    /// Registrations made by the authenticator so far.
    public let registrations: UInt32

    /// Creates the counters of one registration.
    public init(signatures: UInt32, registrations: UInt32) {
        self.signatures = signatures
        self.registrations = registrations
    }
}
