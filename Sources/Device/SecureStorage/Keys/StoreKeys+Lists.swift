import HardwareKeys
import Octets

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
