import CTSS2
import HardwareKeys

extension Chip {
    /// Handles in one response (TPM 2.0, part 2, section 6.12: 1,024 bytes less the headers).
    private static let handlesPerAnswer: UInt32 = 254

    /// The numbers of all indices that owners of machines give to applications.
    func takenIndexNumbers() throws(KeyVaultError) -> Set<UInt32> {
        var taken: Set<UInt32> = []
        var next = Index.range.lowerBound
        while true {
            let (page, hasMore) = try handles(from: next, count: Self.handlesPerAnswer)
            taken.formUnion(page)
            guard hasMore, let last = page.last, last >= next, Index.range.contains(last) else { return taken }
            next = last + 1
        }
    }

    /// The handles in use from a number upwards, of the kind that the number is of, and whether there are more.
    func handles(
        from first: TPM2_HANDLE, count: UInt32
    ) throws(KeyVaultError) -> (page: [TPM2_HANDLE], hasMore: Bool) {
        var more: TPMI_YES_NO = 0
        var answer: UnsafeMutablePointer<TPMS_CAPABILITY_DATA>?
        try send(.general) {
            Esys_GetCapability(
                context, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, TPM2_CAP(TPM2_CAP_HANDLES), first, count, &more,
                &answer)
        }
        let page = try take(answer) { answer in
            let list = answer.pointee.data.handles
            return withUnsafeBytes(of: list.handle) {
                Array($0.bindMemory(to: TPM2_HANDLE.self).prefix(Int(list.count)))
            }
        }
        return (page, more != 0)
    }

    /// A property of the chip (TPM 2.0, part 2, section 6.13); nil when it does not say.
    func property(_ property: TPM2_PT) throws(KeyVaultError) -> UInt32? {
        var more: TPMI_YES_NO = 0
        var answer: UnsafeMutablePointer<TPMS_CAPABILITY_DATA>?
        try send(.general) {
            Esys_GetCapability(
                context, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, TPM2_CAP(TPM2_CAP_TPM_PROPERTIES), property, 1,
                &more, &answer)
        }
        return try take(answer) { answer in
            let first = answer.pointee.data.tpmProperties.tpmProperty.0
            return answer.pointee.data.tpmProperties.count > 0 && first.property == property ? first.value : nil
        }
    }

    /// Makes an index and tells whether it could: false when the number was taken meanwhile.
    func define(
        _ kind: IndexKind, at number: UInt32, policy: [UInt8], authorizedBy value: AuthorizationValue,
        as owner: Ownership
    ) throws(KeyVaultError) -> Bool {
        var description = TPM2B_NV_PUBLIC()
        description.nvPublic.nvIndex = number
        description.nvPublic.nameAlg = TPM2_ALG_ID(TPM2_ALG_SHA256)
        description.nvPublic.attributes = kind.attributes
        description.nvPublic.authPolicy = TPM2B_DIGEST(policy)
        description.nvPublic.dataSize = IndexKind.byteCount
        var handle: ESYS_TR = ESYS_TR_NONE
        let code = try value.withBuffer { value throws(KeyVaultError) in
            try withAuthorization(owner.value, of: ESYS_TR(ESYS_TR_RH_OWNER)) {
                answer {
                    Esys_NV_DefineSpace(
                        context, ESYS_TR(ESYS_TR_RH_OWNER), owner.session, ESYS_TR_NONE, ESYS_TR_NONE, value,
                        &description, &handle)
                }
            }
        }
        if code.reason == ResponseCode.nvDefined { return false }
        if kind == .attempts, [ResponseCode.attributes, ResponseCode.value].contains(code.reason) {
            throw .unsupportedRequirements
        }
        guard code.isSuccess else { throw CommandPurpose.ownership.error(for: code) }
        forget(handle)
        return true
    }

    /// Finds the index of a number, which the caller forgets afterwards; nil when there is none.
    func index(at number: UInt32) throws(KeyVaultError) -> Index? {
        var handle: ESYS_TR = ESYS_TR_NONE
        let code = answer {
            Esys_TR_FromTPMPublic(context, number, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &handle)
        }
        if code.reason == ResponseCode.handle { return nil }
        guard code.isSuccess else { throw CommandPurpose.index.error(for: code) }
        do {
            let description = try description(ofIndex: handle)
            return Index(
                handle: handle, name: try name(of: handle), policy: description.authPolicy.octets,
                kind: IndexKind(of: description))
        } catch {
            forget(handle)
            throw error
        }
    }

    func policy(ofIndex number: UInt32) throws(KeyVaultError) -> [UInt8]? {
        guard let index = try index(at: number) else { return nil }
        forget(index.handle)
        return index.policy
    }

    /// Finds the index of a number that is exactly what it was; the caller forgets it.
    ///
    /// Throws `KeyVaultError.unrecoverable` when it is gone or another one.
    func index(at number: UInt32, named name: [UInt8]) throws(KeyVaultError) -> Index {
        guard let index = try index(at: number) else { throw .unrecoverable }
        guard index.name == name else {
            forget(index.handle)
            throw .unrecoverable
        }
        return index
    }

    /// Removes the index of a number if it has that policy, so is ours; another one, or none, is left as it is.
    func undefine(_ number: UInt32, withPolicy policy: [UInt8], as owner: Ownership) throws(KeyVaultError) {
        guard let index = try index(at: number) else { return }
        guard index.policy == policy else {
            forget(index.handle)
            return
        }
        let owned = ESYS_TR(ESYS_TR_RH_OWNER)
        do {
            try withAuthorization(owner.value, of: owned) { () throws(KeyVaultError) in
                try send(.ownership) {
                    Esys_NV_UndefineSpace(
                        context, owned, index.handle, owner.session, ESYS_TR_NONE, ESYS_TR_NONE)
                }
            }
        } catch {
            forget(index.handle)
            throw error
        }
    }

    /// Writes the whole content, authorised by a policy session.
    func write(_ content: [UInt8], to index: ESYS_TR, in session: ESYS_TR) throws(KeyVaultError) {
        var content = TPM2B_MAX_NV_BUFFER(content)
        try send(.index) {
            Esys_NV_Write(context, index, index, session, ESYS_TR_NONE, ESYS_TR_NONE, &content, 0)
        }
    }

    /// Reads the whole content of an index of ours, or a range of another; `reader` is the index itself or the owner of
    /// the chip.
    func read(
        _ index: ESYS_TR, as reader: ESYS_TR, range: Range<UInt16> = 0..<IndexKind.byteCount, in session: ESYS_TR,
        for purpose: CommandPurpose
    ) throws(KeyVaultError) -> [UInt8] {
        var content: UnsafeMutablePointer<TPM2B_MAX_NV_BUFFER>?
        try send(purpose) {
            Esys_NV_Read(
                context, reader, index, session, ESYS_TR_NONE, ESYS_TR_NONE, UInt16(range.count), range.lowerBound,
                &content)
        }
        return try take(content) { answer throws(KeyVaultError) in
            let octets = answer.pointee.octets
            guard octets.count == range.count else { throw .hardwareFailed(code: 0) }
            return octets
        }
    }

    func increment(_ index: ESYS_TR, in session: ESYS_TR) throws(KeyVaultError) {
        try send(.index) { Esys_NV_Increment(context, index, index, session, ESYS_TR_NONE, ESYS_TR_NONE) }
    }

    /// Gives an index a new authorisation value; `session` has shown the old one.
    func changeAuthorization(
        ofIndex index: ESYS_TR, to value: AuthorizationValue, in session: ESYS_TR
    ) throws(KeyVaultError) {
        try value.withBuffer { value throws(KeyVaultError) in
            try send(.secretUse) {
                Esys_NV_ChangeAuth(context, index, session, ESYS_TR_NONE, ESYS_TR_NONE, value)
            }
        }
    }
}
