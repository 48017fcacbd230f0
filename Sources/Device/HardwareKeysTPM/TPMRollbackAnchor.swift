public import HardwareKeys

/// Monotonic counter of a ``TPMKeyVault`` in the memory of the chip; not even the owner of the chip can turn it back.
public struct TPMRollbackAnchor: RollbackAnchor {
    private let vault: TPMKeyVault

    init(of vault: TPMKeyVault) { self.vault = vault }

    /// The count now.
    ///
    /// Throws `KeyVaultError.unrecoverable` when the counter is gone or was made anew, and the cases for hardware that
    /// is out of reach.
    public func value() async throws(KeyVaultError) -> UInt64 { try await vault.counterValue() }

    /// The count with which the vault was made; nil for a vault of before it was kept.
    ///
    /// Throws `KeyVaultError.damaged` when the vault's file says another one than the chip vouches for, and the cases
    /// for hardware that is out of reach.
    public func firstValue() async throws(KeyVaultError) -> UInt64? { try await vault.firstCounterValue() }

    /// Adds one in the chip and returns the new count.
    ///
    /// Throws what ``value()`` throws.
    public func advance() async throws(KeyVaultError) -> UInt64 { try await vault.advanceCounter() }
}
