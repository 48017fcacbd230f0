package import HardwareKeys

/// Dependencies of the authenticator commands.
package struct AuthenticatorPorts: Sendable {
    package let store: any CredentialStore
    /// Vault that holds the keys and counts wrong secrets.
    package let vault: any KeyVault
    package let clock: any CoolDownClock
    /// Derivation cost of a PIN or password.
    package let secretProtection: SecretProtection
    package let lockoutPolicy: LockoutPolicy
    /// The way to the user for what the operating system verifies; nil where nothing does.
    package var presence: (any UserPresence)?
    package var platform: any AuthenticatorPlatform = AbsentPlatform()
    package var deviceLock: any DeviceLock = UntoldDeviceLock()

    package init(
        store: any CredentialStore, vault: any KeyVault, clock: any CoolDownClock = SystemCoolDownClock(),
        secretProtection: SecretProtection = .production, lockoutPolicy: LockoutPolicy = .standard
    ) {
        self.store = store
        self.vault = vault
        self.clock = clock
        self.secretProtection = secretProtection
        self.lockoutPolicy = lockoutPolicy
    }

    /// Waits for the right to make keys.
    func keyMaking() async throws(AuthenticatorError) -> FileLock {
        do {
            return try await store.keyMaking()
        } catch {
            throw .store(error)
        }
    }

    /// Runs one change of the store; what it did is durable also when it throws.
    func updatingStore<Value>(
        _ change: (inout StoredCredentials) throws(AuthenticatorError) -> Value
    ) async throws(AuthenticatorError) -> Value {
        let outcome: Result<Value, AuthenticatorError>
        do {
            outcome = try await store.update { contents in
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
