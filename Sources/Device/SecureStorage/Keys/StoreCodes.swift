import HardwareKeys
import Octets

/// Codes of the parts of a file under the authentication key of its storage, HMAC-SHA256.
///
/// The key is laid out once for all of them. It is wiped with this value, which no code keeps for longer than a file is
/// read or written.
struct StoreCodes {
    /// Thirty-two bytes; a root and a log have hundreds of codes, so there they are not arrays.
    typealias Code = SIMD32<UInt8>

    private static let block = Array("SST2 block".utf8)
    private static let record = Array("SST2 record".utf8)
    private static let receipt = Array("SST2 receipt".utf8)

    private let hash: KeyedHash

    init(_ keys: StoreKeys) {
        hash = keys.withAuthenticationKey { KeyedHash(key: $0) }
    }

    /// The code that an array of 32 bytes is.
    static func code(_ bytes: [UInt8]) -> Code { bytes.withUnsafeBytes { $0.loadUnaligned(as: Code.self) } }

    /// Code of a base: of everything in it that no other code covers.
    func code(ofBase bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.withUnsafeBytes { hash.code(of: $0) }
    }

    /// Code of a block, bound to its storage, to the commit that wrote the base, and to its place.
    func code(ofBlock bytes: ArraySlice<UInt8>, number: Int, in header: StoreFileHeader) -> [UInt8] {
        Self.withStart(Self.block, header.storageID, header.generation, UInt64(number)) { start in
            bytes.withUnsafeBytes { hash.code(of: start, $0) }
        }
    }

    /// Whether a block has a code.
    func isCode(
        _ code: Code, ofBlock bytes: ArraySlice<UInt8>, number: Int, in header: StoreFileHeader
    ) -> Bool {
        Self.withStart(Self.block, header.storageID, header.generation, UInt64(number)) { start in
            withUnsafeBytes(of: code) { code in bytes.withUnsafeBytes { hash.isCode(code, of: start, $0) } }
        }
    }

    /// Code of header and list of a record, bound to its storage and to its place in the file.
    func code(ofRecord bytes: ArraySlice<UInt8>, at offset: Int, in storageID: [UInt8]) -> [UInt8] {
        Self.withStart(Self.record, storageID, UInt64(offset)) { start in
            bytes.withUnsafeBytes { hash.code(of: start, $0) }
        }
    }

    /// Whether header and list of a record have a code.
    ///
    /// In format 1 the code covers the whole record and is bound to the code before it, too.
    func isCode(
        _ code: Code, ofRecord header: UnsafeRawBufferPointer, _ list: UnsafeRawBufferPointer,
        at offset: Int, in context: [UInt8]
    ) -> Bool {
        Self.withStart(Self.record, context, UInt64(offset)) { start in
            withUnsafeBytes(of: code) { hash.isCode($0, of: start, header, list) }
        }
    }

    /// Code of a receipt, bound to its base and to the commit that it is for.
    func code(ofReceipt generation: UInt64, behind base: [UInt8]) -> [UInt8] {
        Self.withStart(Self.receipt, base, generation) { hash.code(of: $0) }
    }

    /// Whether the code of a receipt begins with these bytes.
    func isCode(_ code: UnsafeRawBufferPointer, ofReceipt generation: UInt64, behind base: [UInt8]) -> Bool {
        Self.withStart(Self.receipt, base, generation) { hash.isCode(code, of: $0) }
    }

    /// Lends what comes before the bytes that a code covers: purpose, context, one or two numbers.
    private static func withStart<Result>(
        _ purpose: [UInt8], _ context: [UInt8], _ number: UInt64, _ second: UInt64? = nil,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let place = purpose.count + context.count
        let count = place + (second == nil ? 8 : 16)
        return withUnsafeTemporaryAllocation(byteCount: count, alignment: 8) { start in
            start.copyBytes(from: purpose)
            UnsafeMutableRawBufferPointer(rebasing: start[purpose.count...]).copyBytes(from: context)
            start.storeBytes(of: number.littleEndian, toByteOffset: place, as: UInt64.self)
            if let second { start.storeBytes(of: second.littleEndian, toByteOffset: place + 8, as: UInt64.self) }
            return body(UnsafeRawBufferPointer(start))
        }
    }
}
