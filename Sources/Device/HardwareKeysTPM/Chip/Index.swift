import CTSS2
import HardwareKeys

/// NV index: a persistent area of the chip's memory, addressed by a number.
struct Index {
    /// The numbers that owners of machines give to applications (TCG Registry of Handles, section 2.3).
    static let range: ClosedRange<UInt32> = 0x0180_0000...0x01BF_FFFF

    let handle: ESYS_TR
    /// A digest of number, kind, policy, and whether it was ever written.
    let name: [UInt8]
    /// The policy it was made with; no two indices of ours have the same.
    let policy: [UInt8]
    /// Kind of the index, one of the two that a vault makes; nil for any other.
    let kind: IndexKind?
}

/// The two kinds of NV index that a vault uses.
enum IndexKind: CaseIterable {
    /// Counts wrong authorisations and refuses all at the limit (TPM_NT_PIN_FAIL).
    case attempts
    /// Counts upwards only (TPM_NT_COUNTER).
    case counter

    static let byteCount: UInt16 = 8

    /// Attributes of the index (TPMA_NV): the allowed commands and their authorisation.
    ///
    /// The standard demands of the first kind that it be outside the chip's own lockout and that its value authorise no
    /// writing.
    var attributes: TPMA_NV {
        let (type, access) =
            switch self {
            case .attempts: (TPM2_NT_PIN_FAIL, TPMA_NV_POLICYWRITE | TPMA_NV_AUTHREAD | TPMA_NV_OWNERREAD)
            case .counter: (TPM2_NT_COUNTER, TPMA_NV_AUTHWRITE | TPMA_NV_AUTHREAD)
            }
        return TPMA_NV(access) | TPMA_NV(TPMA_NV_NO_DA) | TPMA_NV(type) << TPMA_NV(TPMA_NV_TPM2_NT_SHIFT)
    }

    /// The kind of an index that the chip describes; nil for what no vault makes.
    init?(of description: TPMS_NV_PUBLIC) {
        let attributes = description.attributes & ~TPMA_NV(TPMA_NV_WRITTEN)
        guard description.dataSize == Self.byteCount,
            let kind = Self.allCases.first(where: { $0.attributes == attributes })
        else { return nil }
        self = kind
    }
}
