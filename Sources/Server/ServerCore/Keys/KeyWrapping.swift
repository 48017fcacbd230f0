import Crypto

/// Key wrapping: encryption of the server's keys with the master key (``AuthenticatedEncryption``).
///
/// Name, purpose and times of a key are bound to it, so that a stored key cannot be moved to another purpose or time.
struct KeyWrapping: Sendable {
    let masterKey: MasterKey
    let random: any RandomSource

    func wrap(
        _ material: SymmetricKey, id: ServerKeyID, purpose: KeyPurpose, createdAt: Timestamp, activeFrom: Timestamp
    ) -> WrappedKey {
        let binding = Self.binding(id: id, purpose: purpose, createdAt: createdAt, activeFrom: activeFrom)
        let nonce = random.bytes(count: AuthenticatedEncryption.nonceByteCount)
        return WrappedKey(
            id: id, purpose: purpose, createdAt: createdAt, activeFrom: activeFrom,
            wrapped: masterKey.seal(material, binding: binding, nonce: nonce))
    }

    /// Material of a stored key; throws ``ServerError/wrongMasterKey`` when it does not open.
    func unwrap(_ key: WrappedKey) throws(ServerError) -> SymmetricKey {
        let binding = Self.binding(
            id: key.id, purpose: key.purpose, createdAt: key.createdAt, activeFrom: key.activeFrom)
        return try masterKey.open(key.wrapped, binding: binding)
    }

    private static func binding(
        id: ServerKeyID, purpose: KeyPurpose, createdAt: Timestamp, activeFrom: Timestamp
    ) -> [UInt8] {
        let text = "\(id.text) \(purpose.rawValue) \(createdAt.milliseconds) \(activeFrom.milliseconds)"
        return Array(text.utf8)
    }
}
