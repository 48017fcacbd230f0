import Crypto

extension JWEHeader {
    /// The key that an agreed secret gives: the content key, or the one that wraps it (RFC 7518, 4.6).
    func agreedKey(from secret: UnsafeRawBufferPointer) -> SymmetricKey {
        let isDirect = algorithm == .ecdhES
        let byteCount = algorithm.wrappingKeyByteCount ?? encryption.keyByteCount
        let otherInfo = ConcatKDF.otherInfo(
            algorithm: isDirect ? encryption.rawValue : algorithm.rawValue, partyU: partyU, partyV: partyV,
            keyByteCount: byteCount)
        return unsafe ConcatKDF.key(from: secret, otherInfo: otherInfo, byteCount: byteCount)
    }

    /// The content key of a received token.
    ///
    /// A wrapped key that does not unwrap becomes a random one, so that the token is refused at the same place as one
    /// with a wrong tag (RFC 7516, 11.5).
    func contentKey(
        unwrapping encryptedKey: [UInt8], agreedSecret secret: UnsafeRawBufferPointer
    ) -> SymmetricKey {
        let agreed = unsafe agreedKey(from: secret)
        guard algorithm != .ecdhES else { return agreed }
        let random = SymmetricKey(size: SymmetricKeySize(bitCount: encryption.keyByteCount * 8))
        return (try? KeyWrap.unwrap(encryptedKey, with: agreed)) ?? random
    }
}
