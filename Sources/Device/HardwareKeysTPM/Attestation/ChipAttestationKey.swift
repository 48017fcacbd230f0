import CTSS2
package import HardwareKeys
import Octets

/// Key that signs only what the chip states, as a file holds it.
///
/// A server learns by a credential, which ``TPMKeyVault/recover(_:for:)`` opens, that the chip of an endorsement
/// certificate holds it.
package struct ChipAttestationKey: Hashable, Sendable {
    private static let envelope = RecordEnvelope("SGTA")

    let blobs: KeyBlobs

    init(blobs: KeyBlobs) { self.blobs = blobs }

    /// Reads a file.
    ///
    /// Throws `KeyVaultError.damaged` and `KeyVaultError.newerFormat`.
    package init(octets: [UInt8]) throws(KeyVaultError) {
        var reading = RecordReading(try Self.envelope.unwrap(octets))
        blobs = try reading.blobs()
        try reading.finish()
    }

    package var octets: [UInt8] {
        var writer = OctetWriter(capacity: 512)
        writer.write(blobs)
        return Self.envelope.wrap(writer.bytes)
    }

    /// The public area (TPMT_PUBLIC), for the server.
    package var publicArea: [UInt8] { blobs.structure }
}
