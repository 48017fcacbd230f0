import Foundation
import Octets

/// A ``PIN`` or a ``Password`` as entered by the user, ready for key derivation; wiped at the end of its lifetime.
///
/// It remembers which of the two it is: the same text leads to unrelated keys as one and as the other.
package struct UserSecret: ~Copyable, Sendable {
    /// Kind of authenticator that takes the secret.
    let kind: AuthenticatorKind
    private let octets: SecretOctets

    /// Takes the digits of a PIN.
    package init(_ pin: borrowing PIN) {
        kind = .pin
        octets = pin.withUnsafeBytes { SecretOctets(copying: $0) }
    }

    /// Takes the text of a password.
    package init(_ password: borrowing Password) {
        kind = .password
        octets = password.withUnsafeBytes { SecretOctets(copying: $0) }
    }

    /// Lends the bytes for the length of `body`; the pointer must not leave it.
    borrowing func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try octets.withUnsafeBytes(body)
    }
}

/// Brings what a user typed into one form: Unicode's composition (NFC) of valid UTF-8 without control characters.
///
/// It is the one place here that needs all of Foundation, for the composition.
enum UserSecretNormalization {
    /// Composition makes a text at most so many times shorter; longer input is refused before it costs anything.
    private static let expansionLimit = 4

    /// The composed form; nil for what is no UTF-8, has control characters, or is longer than `limit` bytes.
    static func composed(_ secret: borrowing SecretOctets, atMost limit: Int) -> SecretOctets? {
        guard secret.count <= limit * expansionLimit else { return nil }
        let isASCII = secret.withUnsafeBytes { bytes in bytes.allSatisfy { $0 < 0x80 } }
        if isASCII {
            let hasControls = secret.withUnsafeBytes { bytes in bytes.contains { $0 < 0x20 || $0 == 0x7F } }
            return hasControls || secret.count > limit ? nil : secret.duplicate()
        }
        return secret.withUnsafeBytes { bytes -> SecretOctets? in
            guard let text = String(validUTF8: bytes),
                !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else { return nil }
            var composed = Array(text.precomposedStringWithCanonicalMapping.utf8)
            defer { SecretOctets.wipe(&composed) }
            return composed.count > limit ? nil : SecretOctets(copying: composed)
        }
    }
}
