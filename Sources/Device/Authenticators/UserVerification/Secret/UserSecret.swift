import Octets

/// What a user typed: a ``PIN`` or a ``Password``, ready to be derived from; wiped when its owner lets go of it.
///
/// It remembers which of the two it is: the same text leads to unrelated keys as one and as the other.
package struct UserSecret: ~Copyable, Sendable {
    /// Which authenticator takes the secret.
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
