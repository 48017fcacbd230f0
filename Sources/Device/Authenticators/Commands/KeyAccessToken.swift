import Octets

/// Key access token: binds a key to an application, a caller and an installation.
///
/// `KHAccessToken` of FIDO UAF ASM API 1.1, 4.1.
struct KeyAccessToken: Hashable, Sendable {
    static let byteCount = 32

    let octets: [UInt8]

    init(_ octets: [UInt8]) { self.octets = octets }

    /// Compares in a time that says nothing about the bytes.
    static func == (one: KeyAccessToken, other: KeyAccessToken) -> Bool {
        do {
            try ConstantTimeEquality.require(one.octets, equals: other.octets)
            return true
        } catch {
            return false
        }
    }
}
