#if canImport(Security)
    import HardwareKeys

    /// The tries of a counted secret since it was last right: one keychain item for each.
    ///
    /// The keychain cannot add to a number, but it makes an item of a name only once: two processes that try at the
    /// same time take two slots.
    struct AttemptSlots {
        private let items: KeychainItems

        init(_ items: KeychainItems) { self.items = items }

        /// Takes a slot for a try that is about to be made; throws `KeyVaultError.lockedOut` when all are taken.
        func take(of limit: UInt8) throws(KeyVaultError) {
            for slot in 1...limit {
                do {
                    return try items.add(String(slot), value: [slot])
                } catch .duplicateKey {
                    continue
                }
            }
            throw .lockedOut
        }

        /// Number of attempts that were wrong, or never came to an end.
        func taken() throws(KeyVaultError) -> UInt8 { UInt8(clamping: try items.count()) }

        /// Frees all slots, because the last try was right or the key is gone.
        func free() throws(KeyVaultError) { try items.remove() }
    }
#endif
