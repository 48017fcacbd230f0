/// A generic password as the keychain of the stub holds it.
public struct StubItem: Sendable {
    /// The service of the item.
    public let service: String
    /// The account of the item.
    public let account: String
    /// The access group; empty for the application's own.
    public let accessGroup: String
    /// The accessibility that it was made with.
    public let accessibility: String
    /// The bytes of the item.
    public var value: Data
}
