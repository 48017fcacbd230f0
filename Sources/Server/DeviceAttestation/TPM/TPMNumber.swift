/// Algorithms, curves and commands by the numbers of the TPM library (part 2, section 6).
enum TPMNumber {
    static let null: UInt16 = 0x0010
    static let sha256: UInt16 = 0x000B
    static let rsa: UInt16 = 0x0001
    static let rsassa: UInt16 = 0x0014
    static let ecc: UInt16 = 0x0023
    static let ecdsa: UInt16 = 0x0018
    static let p256: UInt16 = 0x0003
    /// TPM_GENERATED_VALUE: begins every structure that a chip composes and signs.
    static let generated: UInt32 = 0xFF54_4347
    /// Type of a certification (TPM_ST_ATTEST_CERTIFY).
    static let certification: UInt16 = 0x8017
    /// Type of a statement about the content of an index (TPM_ST_ATTEST_NV).
    static let indexCertification: UInt16 = 0x8014
    /// Command that shows an authorisation (TPM_CC_PolicySecret).
    static let policySecret: UInt32 = 0x0000_0151

    static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> UInt32($0 * 8)) }
    }
}
