import HardwareKeys
import Octets

/// Codes of the parts of a file under the authentication key of its storage, HMAC-SHA256.
///
/// The key is laid out once for all of them. It is wiped with this value, which no code keeps for longer than a file is
/// read or written.
struct StoreCodes {
    private static let block = Array("SST2 block".utf8)
    private static let record = Array("SST2 record".utf8)
    private static let receipt = Array("SST2 receipt".utf8)

    private let hash: KeyedHash

    init(_ keys: StoreKeys) {
        hash = keys.withAuthenticationKey { KeyedHash(key: $0) }
    }

    /// Code of a base: of everything in it that no other code covers.
    func code(ofBase bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.withUnsafeBytes { hash.code(of: $0) }
    }

    /// Code of a block, bound to its storage, to the commit that wrote the base, and to its place.
    func code(ofBlock bytes: ArraySlice<UInt8>, number: Int, in header: StoreFileHeader) -> [UInt8] {
        code(Self.block, header.storageID, [header.generation, UInt64(number)], bytes)
    }

    /// Whether a block has a code; compared in constant time.
    func isCode(_ code: [UInt8], ofBlock bytes: ArraySlice<UInt8>, number: Int, in header: StoreFileHeader) -> Bool {
        let expected = self.code(ofBlock: bytes, number: number, in: header)
        return (try? ConstantTimeEquality.require(code, equals: expected)) != nil
    }

    /// Code of header and list of a record, bound to its storage and to its place in the file.
    ///
    /// In format 1 the code covers the whole record and is bound to the code before it, too.
    func code(
        ofRecord bytes: ArraySlice<UInt8>, at offset: Int, in storageID: [UInt8], behind previous: [UInt8] = []
    ) -> [UInt8] {
        code(Self.record, storageID + previous, [UInt64(offset)], bytes)
    }

    /// Code of a receipt, bound to its base and to the commit that it is for.
    func code(ofReceipt generation: UInt64, behind base: [UInt8]) -> [UInt8] {
        code(Self.receipt, base, [generation], [])
    }

    private func code(
        _ purpose: [UInt8], _ context: [UInt8], _ numbers: [UInt64], _ bytes: ArraySlice<UInt8>
    ) -> [UInt8] {
        var start = purpose
        start.reserveCapacity(purpose.count + context.count + 8 * numbers.count)
        start += context
        for number in numbers { start.appendLittleEndian(number) }
        return start.withUnsafeBytes { start in bytes.withUnsafeBytes { hash.code(of: start, $0) } }
    }
}
