import CTSS2
import HardwareKeys

/// A key as the chip gives it out: what is public, and what only the same chip can read, in the chip's own encoding.
struct KeyBlobs: Hashable, Sendable {
    /// TPM2B_PUBLIC.
    let publicArea: [UInt8]
    /// TPM2B_PRIVATE, encrypted and authenticated by the parent.
    let privateArea: [UInt8]

    /// Takes stored bytes; throws `KeyVaultError.damaged` when they are not exactly one structure each.
    init(publicArea: [UInt8], privateArea: [UInt8]) throws(KeyVaultError) {
        self.publicArea = publicArea
        self.privateArea = privateArea
        _ = try decodedPublicArea()
        _ = try decodedPrivateArea()
    }

    init(_ publicArea: UnsafePointer<TPM2B_PUBLIC>, _ privateArea: UnsafePointer<TPM2B_PRIVATE>) throws(KeyVaultError) {
        self.publicArea = try Self.encode(publicArea, Tss2_MU_TPM2B_PUBLIC_Marshal)
        self.privateArea = try Self.encode(privateArea, Tss2_MU_TPM2B_PRIVATE_Marshal)
    }

    static func encoded(_ privateArea: UnsafePointer<TPM2B_PRIVATE>) throws(KeyVaultError) -> [UInt8] {
        try encode(privateArea, Tss2_MU_TPM2B_PRIVATE_Marshal)
    }

    func decodedPublicArea() throws(KeyVaultError) -> TPM2B_PUBLIC {
        var area = TPM2B_PUBLIC()
        try Self.decode(publicArea, into: &area, Tss2_MU_TPM2B_PUBLIC_Unmarshal)
        guard try Self.encode(&area, Tss2_MU_TPM2B_PUBLIC_Marshal) == publicArea else { throw .damaged }
        return area
    }

    func decodedPrivateArea() throws(KeyVaultError) -> TPM2B_PRIVATE {
        var area = TPM2B_PRIVATE()
        try Self.decode(privateArea, into: &area, Tss2_MU_TPM2B_PRIVATE_Unmarshal)
        return area
    }

    /// The point of a P-256 key, uncompressed (65 bytes, X9.63); throws `KeyVaultError.damaged` for another kind.
    func point() throws(KeyVaultError) -> [UInt8] {
        let area = try decodedPublicArea().publicArea
        guard area.type == TPM2_ALG_ID(TPM2_ALG_ECC) else { throw .damaged }
        let ecc = area.unique.ecc
        guard let x = Self.coordinate(ecc.x), let y = Self.coordinate(ecc.y) else { throw .damaged }
        return [4] + x + y
    }

    /// A coordinate with the zeros that the chip may have taken off its front; nil when it is too long.
    static func coordinate(_ parameter: TPM2B_ECC_PARAMETER) -> [UInt8]? {
        let octets = parameter.octets
        guard octets.count <= coordinateByteCount else { return nil }
        return [UInt8](repeating: 0, count: coordinateByteCount - octets.count) + octets
    }

    static let coordinateByteCount = 32

    /// The public area without the size in front of it (TPMT_PUBLIC).
    var structure: [UInt8] { Array(publicArea.dropFirst(MemoryLayout<UInt16>.size)) }

    // MARK: - Encoding

    private typealias Decoder<Structure> = (
        UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<Structure>?
    ) -> TSS2_RC
    typealias Encoder<Structure> = (
        UnsafePointer<Structure>?, UnsafeMutablePointer<UInt8>?, Int, UnsafeMutablePointer<Int>?
    ) -> TSS2_RC

    private static func decode<Structure>(
        _ bytes: [UInt8], into structure: inout Structure, _ decoder: Decoder<Structure>
    ) throws(KeyVaultError) {
        var offset = 0
        guard decoder(bytes, bytes.count, &offset, &structure) == 0, offset == bytes.count else { throw .damaged }
    }

    static func encode<Structure>(
        _ structure: UnsafePointer<Structure>, _ encoder: Encoder<Structure>
    ) throws(KeyVaultError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: MemoryLayout<Structure>.size)
        var offset = 0
        guard encoder(structure, &bytes, bytes.count, &offset) == 0 else { throw .damaged }
        return Array(bytes.prefix(offset))
    }
}
