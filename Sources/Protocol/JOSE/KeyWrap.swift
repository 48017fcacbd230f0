package import Crypto

/// AES key wrap with the default initial value (RFC 3394; RFC 7518, 4.4).
package enum KeyWrap {
    /// Wraps a key; the result is eight bytes longer.
    ///
    /// Throws ``JOSEError/unsupportedKey`` when either key has a size that AES key wrap does not know.
    package static func wrap(_ key: SymmetricKey, with wrappingKey: SymmetricKey) throws(JOSEError) -> [UInt8] {
        do {
            return Array(try AES.KeyWrap.wrap(key, using: wrappingKey))
        } catch {
            throw .unsupportedKey
        }
    }

    /// The key that was wrapped.
    ///
    /// Throws ``JOSEError/undecryptable``.
    package static func unwrap(
        _ wrapped: [UInt8], with wrappingKey: SymmetricKey
    ) throws(JOSEError) -> SymmetricKey {
        do {
            return try AES.KeyWrap.unwrap(wrapped, using: wrappingKey)
        } catch {
            throw .undecryptable
        }
    }
}
