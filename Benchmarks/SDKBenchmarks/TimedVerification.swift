/// Kind of user verification: the SDK verifies a secret, or the operating system verifies a fingerprint.
enum TimedVerification: String, CaseIterable {
    case pin
    case fingerprint

    /// Name of the user who is registered with it.
    var username: String { self == .pin ? "anna" : "ben" }
}
