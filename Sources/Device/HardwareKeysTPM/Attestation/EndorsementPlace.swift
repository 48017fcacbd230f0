import CTSS2
import HardwareKeys

/// Place of an endorsement key and its certificate in a chip (TCG EK Credential Profile 2.5, section 2.2; Registry of
/// Reserved Handles, section 2.3.1).
struct EndorsementPlace {
    /// Way to an endorsement key.
    enum Key: Hashable {
        /// It stays in the chip and opens with the empty authorisation of its owner (high range).
        case persistent(TPM2_HANDLE)
        /// It is made anew each time, always the same, and opens with the authorisation of the endorsement hierarchy
        /// (template L-2, on P-256).
        case template
    }

    let key: Key
    /// Number of the index with the certificate.
    let certificate: UInt32

    /// Keys of the high range on P-384 and P-256, then the one that most chips have.
    static let all = [
        EndorsementPlace(key: .persistent(0x8101_0016), certificate: 0x01C0_0016),
        EndorsementPlace(key: .persistent(0x8101_0014), certificate: 0x01C0_0014),
        EndorsementPlace(key: .template, certificate: 0x01C0_000A),
    ]
}

extension Chip {
    /// Bytes of one answer at most that every chip gives (TPM_PT_NV_BUFFER_MAX is 512 or more).
    private static let pieceByteCount: UInt16 = 512

    /// The first place whose key and certificate the chip has; throws `KeyVaultError.unsupportedRequirements` when it has
    /// none.
    func endorsementPlace() throws(KeyVaultError) -> EndorsementPlace {
        for place in EndorsementPlace.all {
            guard try holds(place.key), let index = try index(at: place.certificate) else { continue }
            forget(index.handle)
            return place
        }
        throw .unsupportedRequirements
    }

    private func holds(_ key: EndorsementPlace.Key) throws(KeyVaultError) -> Bool {
        switch key {
        case .persistent(let handle): try handles(from: handle, count: 1).page.contains(handle)
        case .template: true
        }
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

    /// Lends an endorsement key, and the session that may use it.
    ///
    /// `session` shows the authorisation of the endorsement hierarchy, which is empty on most machines.
    func withEndorsementKey<Result>(
        at place: EndorsementPlace, in session: ESYS_TR, _ body: (ESYS_TR, ESYS_TR) throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        switch place.key {
        case .persistent(let number):
            var handle: ESYS_TR = ESYS_TR_NONE
            try send(.general) {
                Esys_TR_FromTPMPublic(context, number, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &handle)
            }
            defer { forget(handle) }
            return try body(handle, ESYS_TR(ESYS_TR_PASSWORD))
        case .template:
            let handle = try makeEndorsementKey(in: session)
            defer { flush(handle) }
            // Only one session of a command may hide its parameters.
            let policy = try startSession(.policy, saltedTo: nil)
            defer { flush(policy) }
            try policySecret(of: ESYS_TR(ESYS_TR_RH_ENDORSEMENT), shownIn: session, in: policy)
            return try body(handle, policy)
        }
    }

    private func makeEndorsementKey(in session: ESYS_TR) throws(KeyVaultError) -> ESYS_TR {
        var sensitive = TPM2B_SENSITIVE_CREATE()
        var template = KeyTemplate.endorsement()
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

    /// The sequence with which bytes begin; its length has two bytes, as that of every certificate.
    private static func element(_ content: [UInt8]) throws(KeyVaultError) -> [UInt8] {
        guard content.starts(with: [0x30, 0x82]), content.count >= 4 else { throw .damaged }
        let byteCount = 4 + (Int(content[2]) << 8 | Int(content[3]))
        guard content.count >= byteCount else { throw .damaged }
        return Array(content.prefix(byteCount))
    }
}
