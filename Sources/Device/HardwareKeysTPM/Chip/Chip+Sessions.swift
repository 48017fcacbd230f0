import CTSS2
import HardwareKeys

extension Chip {
    /// What a session is for.
    enum SessionKind {
        /// Commands are authorised by a value that both sides know.
        case authorization
        /// Commands are authorised by meeting the policy of the entity.
        case policy
    }

    /// Starts a session that both sides derive from a secret encrypted to `key`; who listens on the bus learns neither
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

    /// The number that the chip chose for this session; whoever signs it signs for this session only.
    func nonce(of session: ESYS_TR) throws(KeyVaultError) -> [UInt8] {
        var nonce: UnsafeMutablePointer<TPM2B_NONCE>?
        try send(.general) { Esys_TRSess_GetNonceTPM(context, session, &nonce) }
        return try take(nonce) { $0.pointee.octets }
    }
}
