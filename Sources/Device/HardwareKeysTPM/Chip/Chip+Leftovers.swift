import CTSS2
import HardwareKeys

extension Chip {
    /// First handles of objects, of loaded sessions and of saved ones (TPM 2.0, part 2, section 7.2).
    private static let firstHandles: [TPM2_HANDLE] = [0x8000_0000, 0x0200_0000, 0x0300_0000]
    /// More than any chip holds of a kind.
    private static let handleLimit: UInt32 = 64

    /// Handles of the objects and sessions in the working memory.
    func leftovers() throws(KeyVaultError) -> [TPM2_HANDLE] {
        var found: [TPM2_HANDLE] = []
        for first in Self.firstHandles { found += try handles(from: first, count: Self.handleLimit).page }
        return found
    }

    /// Takes an object or a session out that this connection has not made.
    func flush(leftover number: TPM2_HANDLE) throws(KeyVaultError) {
        var handle: ESYS_TR = ESYS_TR_NONE
        try send(.general) {
            Esys_TR_FromTPMPublic(context, number, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &handle)
        }
        flush(handle)
    }
}
