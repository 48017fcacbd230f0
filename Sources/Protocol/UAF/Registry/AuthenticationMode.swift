/// User action before the authenticator signed: verification, or confirmation of a transaction.
///
/// FIDO UAF Authenticator Commands 1.1, 5.2.1; other values are refused by the server.
public struct AuthenticationMode: RawRepresentable, Hashable, Sendable {
    /// The number on the wire; unknown ones are kept.
    public let rawValue: UInt8

    /// Accepts numbers that this version does not know.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The user was verified.
    public static let userVerified = AuthenticationMode(rawValue: 0x01)
    /// The user was shown the content of a transaction and confirmed it.
    public static let transactionConfirmed = AuthenticationMode(rawValue: 0x02)
}
