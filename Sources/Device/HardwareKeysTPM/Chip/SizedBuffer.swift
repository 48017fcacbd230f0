import CTSS2

/// A buffer of the TPM's structures: the number of bytes used (16 bits), then room of a fixed size.
protocol SizedBuffer {
    init()
    var size: UInt16 { get set }
}

extension SizedBuffer {
    private static var headerByteCount: Int { MemoryLayout<UInt16>.size }

    /// Takes a copy of bytes that fit.
    init(_ bytes: some Collection<UInt8>) {
        self.init()
        fill(bytes)
    }

    /// Overwrites the content with bytes that fit.
    mutating func fill(_ bytes: some Collection<UInt8>) {
        precondition(bytes.count <= MemoryLayout<Self>.size - Self.headerByteCount)
        size = UInt16(bytes.count)
        withUnsafeMutableBytes(of: &self) { memory in
            UnsafeMutableRawBufferPointer(rebasing: memory[Self.headerByteCount...]).copyBytes(from: bytes)
        }
    }

    var octets: [UInt8] {
        let count = Int(size)
        return withUnsafeBytes(of: self) { Array($0.dropFirst(Self.headerByteCount).prefix(count)) }
    }
}

extension TPM2B_DIGEST: SizedBuffer {}
extension TPM2B_NAME: SizedBuffer {}
extension TPM2B_DATA: SizedBuffer {}
extension TPM2B_PUBLIC_KEY_RSA: SizedBuffer {}
extension TPM2B_ATTEST: SizedBuffer {}
extension TPM2B_ID_OBJECT: SizedBuffer {}
extension TPM2B_ENCRYPTED_SECRET: SizedBuffer {}
extension TPM2B_ECC_PARAMETER: SizedBuffer {}
extension TPM2B_SENSITIVE_DATA: SizedBuffer {}
extension TPM2B_MAX_BUFFER: SizedBuffer {}
extension TPM2B_MAX_NV_BUFFER: SizedBuffer {}
