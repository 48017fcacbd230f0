import CTSS2
import HardwareKeys

/// Place of an endorsement key and its certificate in a chip (TCG EK Credential Profile 2.5, section 2.2; Registry of
/// Reserved Handles, section 2.3.1).
struct EndorsementPlace {
    /// Handle under which the key may stay in the chip.
    let handle: TPM2_HANDLE
    /// Number of the index with the certificate.
    let certificate: UInt32
    /// Template by which the key is made anew, always the same, where it does not stay in the chip; nil for the high range.
    ///
    /// Such a key opens with the authorisation of the endorsement hierarchy; one of the high range stays in the chip and
    /// opens with the empty authorisation of its owner.
    var template: KeyTemplate.Endorsement?

    /// Keys of the high range on P-384 and P-256, then those that most chips have; RSA keys take long to make.
    static let all = [
        EndorsementPlace(handle: 0x8101_0016, certificate: 0x01C0_0016),
        EndorsementPlace(handle: 0x8101_0014, certificate: 0x01C0_0014),
        EndorsementPlace(handle: 0x8101_0002, certificate: 0x01C0_000A, template: .p256),
        EndorsementPlace(handle: 0x8101_0001, certificate: 0x01C0_0002, template: .rsa2048),
    ]
}

extension Chip {
    /// Bytes of one answer at most that every chip gives (TPM_PT_NV_BUFFER_MAX is 512 or more).
    private static let pieceByteCount: UInt16 = 512

    /// The first place whose key and certificate the chip has; throws `KeyVaultError.unsupportedRequirements` when it has
    /// none.
    func endorsementPlace() throws(KeyVaultError) -> EndorsementPlace {
        for place in EndorsementPlace.all {
            guard let index = try index(at: place.certificate) else { continue }
            forget(index.handle)
            if place.template != nil { return place }
            if try holds(place.handle) { return place }
        }
        throw .unsupportedRequirements
    }

    private func holds(_ handle: TPM2_HANDLE) throws(KeyVaultError) -> Bool {
        try handles(from: handle, count: 1).page.contains(handle)
    }

    /// The certificate of an endorsement key (DER), without what fills the rest of its index.
    func certificate(at place: EndorsementPlace, in session: ESYS_TR) throws(KeyVaultError) -> [UInt8] {
        guard let index = try index(at: place.certificate) else { throw .unsupportedRequirements }
        defer { forget(index.handle) }
        let byteCount = try description(ofIndex: index.handle).dataSize
        var content: [UInt8] = []
        while content.count < Int(byteCount) {
            let start = UInt16(content.count)
            let end = start + min(byteCount - start, Self.pieceByteCount)
            content += try read(index.handle, as: index.handle, range: start..<end, in: session, for: .index)
        }
        return try Self.element(content)
    }

    /// Lends an endorsement key, and the session that may use it.
    ///
    /// `session` shows the authorisation of the endorsement hierarchy, which is empty on most machines.
    func withEndorsementKey<Result>(
        at place: EndorsementPlace, in session: ESYS_TR, _ body: (ESYS_TR, ESYS_TR) throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        guard let template = place.template else {
            return try withPersistentKey(place.handle) { key throws(KeyVaultError) in
                try body(key, ESYS_TR(ESYS_TR_PASSWORD))
            }
        }
        // Only one session of a command may hide its parameters.
        let policy = try startSession(.policy, saltedTo: nil)
        defer { flush(policy) }
        try policySecret(of: ESYS_TR(ESYS_TR_RH_ENDORSEMENT), shownIn: session, in: policy, for: .ownership)
        if try holds(place.handle) {
            return try withPersistentKey(place.handle) { key throws(KeyVaultError) in try body(key, policy) }
        }
        let key = try makeEndorsementKey(template, in: session)
        defer { flush(key) }
        return try body(key, policy)
    }

    private func withPersistentKey<Result>(
        _ number: TPM2_HANDLE, _ body: (ESYS_TR) throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        var handle: ESYS_TR = ESYS_TR_NONE
        try send(.general) {
            Esys_TR_FromTPMPublic(context, number, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &handle)
        }
        defer { forget(handle) }
        return try body(handle)
    }

    private func makeEndorsementKey(
        _ kind: KeyTemplate.Endorsement, in session: ESYS_TR
    ) throws(KeyVaultError) -> ESYS_TR {
        var sensitive = TPM2B_SENSITIVE_CREATE()
        var template = KeyTemplate.endorsement(kind)
        var none = TPM2B_DATA()
        var registers = TPML_PCR_SELECTION()
        var handle: ESYS_TR = ESYS_TR_NONE
        try send(.ownership) {
            Esys_CreatePrimary(
                context, ESYS_TR(ESYS_TR_RH_ENDORSEMENT), session, ESYS_TR_NONE, ESYS_TR_NONE, &sensitive, &template,
                &none, &registers, &handle, nil, nil, nil, nil)
        }
        return handle
    }

    /// The sequence with which bytes begin; its length has two bytes, as in every certificate.
    private static func element(_ content: [UInt8]) throws(KeyVaultError) -> [UInt8] {
        guard content.starts(with: [0x30, 0x82]), content.count >= 4 else { throw .damaged }
        let byteCount = 4 + (Int(content[2]) << 8 | Int(content[3]))
        guard content.count >= byteCount else { throw .damaged }
        return Array(content.prefix(byteCount))
    }
}
