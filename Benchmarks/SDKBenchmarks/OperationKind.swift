/// The two ways of verifying a user: the SDK checks a secret, or the operating system checks a finger.
enum OperationKind: String, CaseIterable {
    case pin
    case fingerprint

    /// Who is registered with it.
    var username: String { self == .pin ? "anna" : "ben" }
}
