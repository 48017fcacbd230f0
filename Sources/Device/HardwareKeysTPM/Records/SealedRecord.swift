import HardwareKeys

/// What a ``SealedSecret`` of this kind of vault holds.
package struct SealedRecord: Hashable, Sendable {
    /// The vault that sealed it.
    let vault: VaultName
    /// The parent under which it was sealed; it tells loss from damage.
    let parentName: [UInt8]
    /// What the user has to pass before it is opened.
    let gate: UserGate?
    let blobs: KeyBlobs
}
