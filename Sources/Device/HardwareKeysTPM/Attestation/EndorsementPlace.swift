import CTSS2
import HardwareKeys

/// Place of an endorsement key and its certificate in a chip (TCG EK Credential Profile 2.5, section 2.2.1; Registry of
/// Reserved Handles, section 2.3.1).
struct EndorsementPlace {
    /// Handle under which the key stays in the chip.
    let key: TPM2_HANDLE
    /// Number of the index with the certificate.
    let certificate: UInt32

    /// Keys of the high range on P-384 and P-256; they open with the empty authorisation of their owner.
    static let all = [
        EndorsementPlace(key: 0x8101_0016, certificate: 0x01C0_0016),
        EndorsementPlace(key: 0x8101_0014, certificate: 0x01C0_0014),
    ]
}

extension Chip {
    /// Bytes of one answer at most that every chip gives (TPM_PT_NV_BUFFER_MAX is 512 or more).
    private static let pieceByteCount: UInt16 = 512

    /// The first place whose key and certificate the chip has; throws `KeyVaultError.unsupportedRequirements` when it has
    /// none.
    func endorsementPlace() throws(KeyVaultError) -> EndorsementPlace {
        for place in EndorsementPlace.all {
            guard try handles(from: place.key, count: 1).page.contains(place.key),
                let index = try index(at: place.certificate)
            else { continue }
            forget(index.handle)
            return place
        }
        throw .unsupportedRequirements
    }

    /// The certificate of an endorsement key (DER), without what fills the rest of its index.
    func certificate(at place: EndorsementPlace, in session: ESYS_TR) throws(KeyVaultError) -> [UInt8] {
        guard let index = try index(at: place.certificate) else { throw .unsupportedRequirements }
        defer { forget(index.handle) }
        let byteCount = try description(ofIndex: index.handle).dataSize
        var content: [UInt8] = []
        while content.count < Int(byteCount) {
            let start = UInt16(content.count)
            let end = min(byteCount, start + Self.pieceByteCount)
            content += try read(index.handle, as: index.handle, range: start..<end, in: session, for: .index)
        }
        return try Self.element(content)
    }

    /// Lends an endorsement key, which stays in the chip.
    func withEndorsementKey<Result>(
        at place: EndorsementPlace, _ body: (ESYS_TR) throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        var handle: ESYS_TR = ESYS_TR_NONE
        try send(.general) {
            Esys_TR_FromTPMPublic(context, place.key, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &handle)
        }
        defer { forget(handle) }
        return try body(handle)
    }

    /// The sequence with which bytes begin; its length has two bytes, as that of every certificate.
    private static func element(_ content: [UInt8]) throws(KeyVaultError) -> [UInt8] {
        guard content.starts(with: [0x30, 0x82]), content.count >= 4 else { throw .damaged }
        let byteCount = 4 + (Int(content[2]) << 8 | Int(content[3]))
        guard content.count >= byteCount else { throw .damaged }
        return Array(content.prefix(byteCount))
    }
}
