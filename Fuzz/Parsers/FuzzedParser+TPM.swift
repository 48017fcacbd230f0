import HardwareKeys
import HardwareKeysTPM

extension FuzzedParser {
    /// What the vault in a TPM reads from its files, and the chip's own structures in them.
    ///
    /// Inside of the envelope, whose checksum no fuzzer would find, and the envelope itself.
    static let chipRecords: [FuzzedParser] = [
        exact("tpm-key", read: { try KeyRecord(body: $0) }, write: { $0.body }),
        exact("tpm-vault", read: { try VaultRecord(body: $0) }, write: { $0.body }),
        exact("tpm-sealed", read: { try SealedRecord(body: $0) }, write: { $0.body }),
        exact("tpm-journal", read: { try JournalEntry(body: $0) }, write: { $0.body }),
        exact("tpm-envelope", read: { try VaultRecord(octets: $0) }, write: { $0.octets }),
    ]
}
