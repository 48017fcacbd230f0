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
