package import HardwareKeys

/// One key as its file holds it.
package struct KeyRecord: Hashable, Sendable {
    /// The vault it belongs to.
    let vault: VaultName
    package let requirements: KeyRequirements
    var blobs: KeyBlobs
    /// What counts its wrong secrets; nil where they are not counted.
    let index: AttemptIndex?
}

extension KeyRecord {
    /// Number of bytes of what only the chip can read; tests change them.
    package var privateAreaByteCount: Int { blobs.privateArea.count }

    /// The record with one bit changed in what only the chip can read, for tests.
    package func withChangedPrivateArea(at position: Int) throws(KeyVaultError) -> KeyRecord {
        var area = blobs.privateArea
        area[position] ^= 1
        var changed = self
        changed.blobs = try KeyBlobs(publicArea: blobs.publicArea, privateArea: area)
        return changed
    }
}
