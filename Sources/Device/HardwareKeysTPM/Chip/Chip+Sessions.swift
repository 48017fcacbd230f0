import CTSS2
import HardwareKeys

extension Chip {
    /// Type of an authorisation session.
    enum SessionKind {
        /// Commands are authorised by a value that both sides know.
        case authorization
        /// Commands are authorised by meeting the policy of the entity.
        case policy
    }

    /// Starts a session that both sides derive from a secret encrypted to `key`; a listener on the bus learns neither
    /// authorisation values nor the first parameter of command and answer.
    ///
    /// Without a key the session only authorises. The caller flushes it.
    func startSession(_ kind: SessionKind, saltedTo key: ESYS_TR?) throws(KeyVaultError) -> ESYS_TR {
        var symmetric = TPMT_SYM_DEF()
        symmetric.algorithm = TPM2_ALG_ID(TPM2_ALG_AES)
        symmetric.keyBits.aes = 128
        symmetric.mode.aes = TPM2_ALG_ID(TPM2_ALG_CFB)
        var session: ESYS_TR = ESYS_TR_NONE
        try send(.general) {
            Esys_StartAuthSession(
                context, key ?? ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, nil,
                TPM2_SE(kind == .policy ? TPM2_SE_POLICY : TPM2_SE_HMAC), &symmetric, TPM2_ALG_ID(TPM2_ALG_SHA256),
                &session)
        }
        let hiding = key == nil ? 0 : TPMA_SESSION_DECRYPT | TPMA_SESSION_ENCRYPT
        let attributes = TPMA_SESSION(TPMA_SESSION_CONTINUESESSION | hiding)
        do {
            try send(.general) { Esys_TRSess_SetAttributes(context, session, attributes, 0xFF) }
        } catch {
            flush(session)
            throw error
        }
        return session
    }

    /// The number that the chip chose for this session; a signature over it counts for this session only.
    func nonce(of session: ESYS_TR) throws(KeyVaultError) -> [UInt8] {
        var nonce: UnsafeMutablePointer<TPM2B_NONCE>?
        try send(.general) { Esys_TRSess_GetNonceTPM(context, session, &nonce) }
        return try take(nonce) { $0.pointee.octets }
    }
}

extension Chip {
    /// Shows a policy session that it is for one command.
    func policyCommand(_ command: TPM2_CC, in session: ESYS_TR) throws(KeyVaultError) {
        try send(.general) {
            Esys_PolicyCommandCode(context, session, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, command)
        }
    }

    /// Shows a policy session that the command will come with the value of its entity.
    func policyAuthorizationValue(in session: ESYS_TR) throws(KeyVaultError) {
        try send(.general) {
            Esys_PolicyAuthValue(context, session, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE)
        }
    }

    /// Shows a policy session that what it has seen is one of several ways.
    func policyAny(of ways: [PolicyDigest], in session: ESYS_TR) throws(KeyVaultError) {
        var list = TPML_DIGEST()
        list.count = UInt32(ways.count)
        withUnsafeMutableBytes(of: &list.digests) { memory in
            let digests = memory.bindMemory(to: TPM2B_DIGEST.self)
            for (position, way) in ways.enumerated() { digests[position].fill(way.octets) }
        }
        try send(.general) {
            Esys_PolicyOR(context, session, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &list)
        }
    }

    /// Shows a policy session the authorisation of an entity, which another session carries.
    func policySecret(
        of entity: ESYS_TR, shownIn other: ESYS_TR, in session: ESYS_TR, for purpose: CommandPurpose = .secretUse
    ) throws(KeyVaultError) {
        try send(purpose) {
            Esys_PolicySecret(
                context, entity, session, other, ESYS_TR_NONE, ESYS_TR_NONE, nil, nil, nil, 0, nil, nil)
        }
    }

    /// Shows a policy session a signature over its own nonce.
    func policySigned(by signer: PolicySigner, in session: ESYS_TR) throws(KeyVaultError) {
        let key = try load(signer)
        defer { flush(key) }
        let nonce = try nonce(of: session)
        var signature = try signer.signature(for: nonce)
        var sized = TPM2B_NONCE(nonce)
        try send(.general) {
            Esys_PolicySigned(
                context, key, session, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &sized, nil, nil, 0, &signature, nil,
                nil)
        }
    }

    func name(of signer: PolicySigner) throws(KeyVaultError) -> [UInt8] {
        let key = try load(signer)
        defer { flush(key) }
        return try name(of: key)
    }

    private func load(_ signer: PolicySigner) throws(KeyVaultError) -> ESYS_TR {
        var area = signer.publicArea
        var key: ESYS_TR = ESYS_TR_NONE
        try send(.general) {
            Esys_LoadExternal(
                context, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, nil, &area, ESYS_TR(ESYS_TR_RH_NULL), &key)
        }
        return key
    }
}
