/// Check 17 of authentication: the signature counter of an authenticator that counts grows with every signature.
enum CounterCheck {
    /// Whether `presented` may follow `stored`; 0 in both means that the authenticator does not count.
    static func grows(from stored: UInt32, to presented: UInt32) -> Bool {
        presented > stored || (presented == 0 && stored == 0)
    }
}
