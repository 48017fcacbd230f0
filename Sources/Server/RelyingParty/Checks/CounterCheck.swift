/// Checks of the registration counter of a new credential and of the signature counter of an authentication.
enum CounterCheck {
    /// The signature counter of an authenticator that counts grows with every signature.
    ///
    /// Whether `presented` may follow `stored`; 0 in both means that the authenticator does not count.
    static func grows(from stored: UInt32, to presented: UInt32) -> Bool {
        presented > stored || (presented == 0 && stored == 0)
    }

    /// A device that was registered exceedingly often is not one person's phone.
    static func requireRegistrations(_ count: UInt32, profile: VerificationProfile) throws(RefusalReason) {
        guard let limit = profile.registrationCounterLimit else { return }
        guard count <= limit else { throw .registrationCounter }
    }
}
