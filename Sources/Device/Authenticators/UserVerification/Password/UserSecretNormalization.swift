import Foundation
import Octets

/// Brings what a user typed into one form: Unicode's composition (NFC) of valid UTF-8 without control characters.
///
/// It is the one file here that needs all of Foundation, for the composition.
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
            guard let text = String(validating: bytes, as: UTF8.self),
                !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else { return nil }
            var composed = Array(text.precomposedStringWithCanonicalMapping.utf8)
            defer { SecretOctets.wipe(&composed) }
            return composed.count > limit ? nil : SecretOctets(copying: composed)
        }
    }
}
