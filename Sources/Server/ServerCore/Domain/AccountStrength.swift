/// Methods of sign-in that a user has registered, and the latest removal of each: the strongest alone lets in.
///
/// A removed one counts for a while (`openid.passkeys.removal-wait`): a thief of a weaker method who takes the stronger one away
/// waits, and the user hears of it.
package struct AccountStrength: Sendable, Hashable {
    /// Method that keeps a weaker one from letting in.
    package struct Obstacle: Sendable, Hashable {
        package let method: Assurance
        /// End of the wait after the removal; nil while a stronger method is registered.
        package let until: Timestamp?
    }

    package var registered: Set<Assurance>
    package var removed: [Assurance: Timestamp]

    package init(registered: Set<Assurance> = [], removed: [Assurance: Timestamp] = [:]) {
        self.registered = registered
        self.removed = removed
    }

    /// The strongest method that is stronger than `method` and is registered, or was removed less than `wait` ago; nil when
    /// `method` lets in.
    ///
    /// `method` is nil for a password, which is weaker than all.
    package func obstacle(to method: Assurance?, at now: Timestamp, wait: Duration) -> Obstacle? {
        let present = registered.filter { method?.isWeaker(than: $0) ?? true }
        let waiting = removed.filter { now < $0.value + wait && method?.isWeaker(than: $0.key) ?? true }
        guard let strongest = present.union(waiting.keys).max() else { return nil }
        let end = waiting.values.max().map { $0 + wait }
        return Obstacle(method: strongest, until: present.isEmpty ? end : nil)
    }
}

extension Assurance {
    /// Whether the method is weaker than another one of the same account.
    ///
    /// A PIN that the chip counts adds nothing here: one phone has keys with and without it, and sites ask for it by `acr_values`.
    package func isWeaker(than other: Assurance) -> Bool { min(self, .chip) < min(other, .chip) }
}
