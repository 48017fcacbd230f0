import Foundation
import Octets
package import UAF

/// A PIN or a password as entered by the user, ready for key derivation; wiped at the end of its lifetime.
///
/// It is made of the bytes that were typed, in one copy, and only of bytes that obey the rule of its kind. It remembers the
/// kind: the same text leads to unrelated keys as a PIN and as a password.
///
/// A password is kept in Unicode's composed form (NFC), so that the same text typed on another keyboard is the same
/// password. Beyond that every byte counts: letter case, spaces and look-alikes differ. There is no rule of composition; an
/// application may have one.
package struct UserSecret: ~Copyable, Sendable {
    /// Numbers of digits that any policy for PINs may allow.
    package static let digitCounts = 4...64
    /// Numbers of bytes of a password in UTF-8, after normalization.
    package static let passwordByteCounts = 1...1_024

    let kind: AuthenticatorKind
    private let octets: SecretOctets

    /// Takes what was typed for an authenticator; nil when it cannot be the secret of that one, and where the operating
    /// system verifies the user.
    ///
    /// Wiping the source is the caller's business, here as in the other initialisers.
    package init?(copying typed: some Collection<UInt8>, for aaid: AAID) {
        switch aaid.authenticator?.kind {
        case .pin: self.init(pin: typed)
        case .password: self.init(password: typed)
        case .fingerprint, .faceRecognition, .devicePasscode, nil: return nil
        }
    }

    /// Takes the ASCII bytes of 4 to 64 digits; nil for anything else.
    package init?(pin typed: some Collection<UInt8>) {
        guard Self.isPIN(typed) else { return nil }
        kind = .pin
        octets = SecretOctets(copying: typed)
    }

    /// Takes UTF-8; nil when it is none, empty, too long, or has control characters.
    ///
    /// ASCII stays in memory that is wiped. Other text passes once through a string of the library that normalizes it,
    /// and of that the copies cannot be wiped.
    package init?(password typed: some Collection<UInt8>) {
        guard let composed = UserSecretNormalization.composed(typed, atMost: Self.passwordByteCounts.upperBound),
            Self.passwordByteCounts.contains(composed.count)
        else { return nil }
        kind = .password
        octets = composed
    }

    /// Whether bytes are 4 to 64 ASCII digits.
    package static func isPIN(_ typed: some Collection<UInt8>) -> Bool {
        digitCounts.contains(typed.count)
            && typed.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
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
    static func composed(_ typed: some Collection<UInt8>, atMost limit: Int) -> SecretOctets? {
        guard typed.count <= limit * expansionLimit else { return nil }
        if typed.allSatisfy({ $0 < 0x80 }) {
            let hasControls = typed.contains { $0 < 0x20 || $0 == 0x7F }
            return hasControls || typed.count > limit ? nil : SecretOctets(copying: typed)
        }
        guard let text = String(validUTF8: typed),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        var composed = Array(text.precomposedStringWithCanonicalMapping.utf8)
        defer { SecretOctets.wipe(&composed) }
        return composed.count > limit ? nil : SecretOctets(copying: composed)
    }
}
