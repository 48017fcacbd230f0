import CTSS2
import HardwareKeys

/// A place in the chip's memory that stays: a number that it is found by, and what it is.
struct Index {
    /// The numbers that owners of machines give to applications (TCG Registry of Handles, section 2.3).
    static let range: ClosedRange<UInt32> = 0x0180_0000...0x01BF_FFFF

    let handle: ESYS_TR
    /// A digest of number, kind, policy, and whether it was ever written.
    let name: [UInt8]
    /// The policy it was made with; no two indices of ours have the same.
    let policy: [UInt8]
    /// What it is of the two kinds that a vault makes; nil for any other.
    let kind: IndexKind?
}
