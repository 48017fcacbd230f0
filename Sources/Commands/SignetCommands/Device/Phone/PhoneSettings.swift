/// What `signet device init` fixes for a phone, besides what the device itself is.
struct PhoneSettings: Hashable, Sendable {
    /// The form of this file; another one is refused.
    static let version = 1

    /// Where the server is.
    var server: String
    /// The name of the phone, shown to its user.
    var name: String
    /// Certificates (PEM) that the phone trusts besides those of the operating system.
    var authorities: String?
}
