import HardwareKeys
import Octets

extension StoreKeys {
    /// Code of a block, bound to its storage, to the commit that wrote the base, and to its place.
    func code(ofBlock bytes: ArraySlice<UInt8>, number: Int, in header: StoreFileHeader) -> [UInt8] {
        code("SST2 block", header.storageID, [header.generation, UInt64(number)], bytes)
    }

    /// Whether a block has a code; compared in constant time.
    func isCode(_ code: [UInt8], ofBlock bytes: ArraySlice<UInt8>, number: Int, in header: StoreFileHeader) -> Bool {
        let expected = self.code(ofBlock: bytes, number: number, in: header)
        return (try? ConstantTimeEquality.require(code, equals: expected)) != nil
    }

    /// Code of a record, bound to its storage, to its place in the file and to everything before it.
    func code(
        ofRecord bytes: ArraySlice<UInt8>, at offset: Int, behind previous: [UInt8], in storageID: [UInt8]
    ) -> [UInt8] {
        code("SST2 record", storageID + previous, [UInt64(offset)], bytes)
    }

    /// Code of a receipt, bound to its base and to the commit that it is for.
    func code(ofReceipt generation: UInt64, behind base: [UInt8]) -> [UInt8] {
        code("SST2 receipt", base, [generation], [])
    }

    private func code(
        _ purpose: StaticString, _ context: [UInt8], _ numbers: [UInt64], _ bytes: ArraySlice<UInt8>
    ) -> [UInt8] {
        var writer = OctetWriter()
        writer.write(Array(purpose.description.utf8))
        writer.write(context)
        for number in numbers { writer.writeUInt64LittleEndian(number) }
        return withAuthenticationKey { key in
            writer.bytes.withUnsafeBytes { start in
                bytes.withUnsafeBytes { SecretHash.hmac(start, $0, using: key).withUnsafeBytes { Array($0) } }
            }
        }
    }
}

extension StoreKeys {
    /// Bytes of a list, encrypted unless names are in clear.
    func sealed(_ list: [UInt8], isClear: Bool, _ environment: StorageEnvironment) throws(SecureStorageError) -> [UInt8]
    {
        guard !isClear else { return list }
        var list = list
        defer {
            FreedMemory.wipe(.roundKeys)
            SecretOctets.wipe(&list)
        }
        let sealed = list.withUnsafeBytes { try? SealedValue($0, using: index, nonce: environment.nonce()) }
        guard let sealed else { throw .limitExceeded }
        return Array(sealed.combined)
    }

    /// Lends the bytes of a list that was sealed so, and wipes them; nil when they are not what was sealed.
    func withOpened<Result>(
        _ stored: ArraySlice<UInt8>, isClear: Bool, _ body: ([UInt8]) -> Result?
    ) -> Result? {
        guard !isClear else { return body(Array(stored)) }
        defer { FreedMemory.wipe(.roundKeys) }
        guard var list = SealedValue(stored)?.opened(using: index, { [UInt8]($0) }) else { return nil }
        defer { SecretOctets.wipe(&list) }
        return body(list)
    }
}
