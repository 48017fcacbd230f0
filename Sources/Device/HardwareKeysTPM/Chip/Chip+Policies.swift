import CTSS2
import HardwareKeys

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
    func policySecret(of entity: ESYS_TR, shownIn other: ESYS_TR, in session: ESYS_TR) throws(KeyVaultError) {
        try send(.secretUse) {
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

    /// The name that the chip gives to the public half of a signer.
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
