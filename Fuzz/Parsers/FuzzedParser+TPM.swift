import HardwareKeys
import HardwareKeysTPM

extension FuzzedParser {
    /// Parsers of the TPM vault's files, and of the TPM structures in them.
    ///
    /// The records inside the envelope, because a fuzzer would not find its checksum, and the envelope itself.
    static let chipRecords: [FuzzedParser] = [
        exact("tpm-key", read: { try KeyRecord(body: $0) }, write: { $0.body }),
        exact("tpm-vault", read: { try VaultRecord(body: $0) }, write: { $0.body }),
        exact("tpm-sealed", read: { try SealedRecord(body: $0) }, write: { $0.body }),
        exact("tpm-journal", read: { try JournalEntry(body: $0) }, write: { $0.body }),
        exact("tpm-envelope", read: { try VaultRecord(octets: $0) }, write: { $0.octets }),
    ]
}
