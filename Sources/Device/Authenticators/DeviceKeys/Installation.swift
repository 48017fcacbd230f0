import Crypto
import HardwareKeys

/// The secret of one installation, made with the store and kept until it is deleted (ASMToken).
struct InstallationToken: Hashable, Sendable {
    static let byteCount = 32

    let octets: [UInt8]

    init(_ octets: [UInt8]) { self.octets = octets }

    static func fresh() -> InstallationToken {
        InstallationToken(FreshOctets.make(count: byteCount))
    }
}

/// Identity of an installation that the next installation in the same place has again.
///
/// It is an HMAC under the identifier of the machine, as machine-id(5) asks for: from what goes to servers no reader
/// learns the identifier, and no two applications can be linked by it.
package enum InstallationIdentity {
    package static let byteCount = 16

    /// The identity under a machine identifier (the text of `/etc/machine-id`) for an ordered list of names.
    ///
    /// Nil unless the machine identifier is 32 hexadecimal digits: machines that have not been set up share what is
    /// there.
    package static func derive(fromMachine identifier: [UInt8], for names: [String]) -> [UInt8]? {
        let digits = identifier.prefix { $0 != UInt8(ascii: "\n") }
        guard digits.count == 32, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            Set(digits).count > 1
        else { return nil }
        var code = HMAC<SHA256>(key: SymmetricKey(data: Array(digits)))
        for name in names {
            // The length first: no two lists give the same bytes.
            code.update(data: withUnsafeBytes(of: UInt64(name.utf8.count).bigEndian, Array.init))
            code.update(data: Array(name.utf8))
        }
        return Array(Array(code.finalize()).prefix(byteCount))
    }
}

extension StoredCredentials {
    /// Identity of this installation for the servers of one origin (HKDF-SHA-256, RFC 5869), of
    /// ``InstallationIdentity/byteCount`` octets: servers of different origins cannot tell that theirs are of one
    /// installation.
    ///
    /// It is derived from the secret that a reinstallation finds again; without one, from the secret of this store.
    package func identity(at origin: String, reinstalled secret: String?) -> [UInt8] {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret.map { Array($0.utf8) } ?? installation.octets),
            info: Array("signet device identifier \(origin)".utf8), outputByteCount: InstallationIdentity.byteCount
        ).withUnsafeBytes { Array($0) }
    }
}
