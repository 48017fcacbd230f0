/// What a message is about; the raw value is the wire spelling, which is case-sensitive.
///
/// FIDO UAF Protocol 1.1, 3.1.2.
public enum Operation: String, Hashable, Sendable, CaseIterable {
    /// Makes a key.
    case registration = "Reg"
    /// Proves possession of a key, with or without a transaction to confirm.
    case authentication = "Auth"
    /// Forgets keys.
    case deregistration = "Dereg"
}
