import HardwareKeys

/// The way to the chip, taken anew for each piece of work: a chip that went away and came back is found again.
struct ChipAccess: Sendable {
    let connection: TPMConnection
    /// Where everybody who uses the vault waits for their turn: not every chip keeps its users apart; nil without a vault.
    let files: VaultFiles?
    let retry: CommandRetry

    /// Does a piece of work under the parent of that name, or under the one that a new vault uses.
    ///
    /// Throws `KeyVaultError.hardwareUnavailable`, `KeyVaultError.unrecoverable` when the chip has no such parent,
    /// and what `work` throws.
    func visit<Result>(
        under parentName: [UInt8]?, _ work: (ChipVisit) throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        guard let files else { return try visitNow(under: parentName, work) }
        return try files.havingTurn { () throws(KeyVaultError) in try visitNow(under: parentName, work) }
    }

    private func visitNow<Result>(
        under parentName: [UInt8]?, _ work: (ChipVisit) throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        let chip = try Chip(connectingTo: connection.name, retry: retry)
        let parent = try chip.openParent(named: parentName, owner: connection.owner)
        defer { chip.release(parent) }
        let session = try chip.startSession(.authorization, saltedTo: parent.handle)
        defer { chip.flush(session) }
        return try work(
            ChipVisit(
                chip: chip, parent: parent, session: session,
                ownership: Ownership(value: connection.owner, session: session), tag: connection.tag,
                quota: connection.indexQuota))
    }
}
