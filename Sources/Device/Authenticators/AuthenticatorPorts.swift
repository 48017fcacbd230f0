package import HardwareKeys

/// What the commands of an authenticator work with.
package struct AuthenticatorPorts: Sendable {
    /// Where credentials lie.
    package let store: any CredentialStore
    /// What holds the keys and counts wrong secrets.
    package let vault: any KeyVault
    /// Where cool-down times come from.
    package let clock: any CoolDownClock
    /// What a PIN costs to check.
    package let pinProtection: PINProtection
    /// How many wrong PINs are allowed.
    package let lockoutPolicy: LockoutPolicy

    /// Names the parts; the defaults are what applications get.
    package init(
        store: any CredentialStore, vault: any KeyVault, clock: any CoolDownClock = SystemCoolDownClock(),
        pinProtection: PINProtection = .production, lockoutPolicy: LockoutPolicy = .standard
    ) {
        self.store = store
        self.vault = vault
        self.clock = clock
        self.pinProtection = pinProtection
        self.lockoutPolicy = lockoutPolicy
    }

    /// Runs one change of the store; what it did is durable also when it throws.
    func updatingStore<Value>(
        _ change: (inout StoredCredentials) throws(AuthenticatorError) -> Value
    ) throws(AuthenticatorError) -> Value {
        let outcome: Result<Value, AuthenticatorError>
        do {
            outcome = try store.update { contents in
                do throws(AuthenticatorError) {
                    return .success(try change(&contents))
                } catch {
                    return .failure(error)
                }
            }
        } catch {
            throw .store(error)
        }
        return try outcome.get()
    }
}
