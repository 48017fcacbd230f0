package import Octets

/// A secret that the user typed; the memory is overwritten when the last owner releases it.
///
/// It has no description, no coding and no comparison.
public final class SecretBytes: Sendable {
    private let octets: SecretOctets

    /// Copies bytes; wiping the source is up to the caller.
    public init(copying bytes: some Collection<UInt8>) {
        octets = SecretOctets(copying: bytes)
    }

    /// Takes the UTF-8 bytes of a text.
    ///
    /// A `String` cannot be wiped: use ``init(copying:)`` where the text does not exist as a `String` anyway.
    public convenience init(_ text: String) {
        self.init(copying: text.utf8)
    }

    /// Number of bytes.
    public var count: Int { octets.count }

    /// Lends the bytes for the length of `body`; they must not leave it.
    package func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try octets.withUnsafeBytes(body)
    }

    /// An independent copy for an owner that takes the bytes over.
    package func duplicate() -> SecretOctets { octets.duplicate() }
}

extension SecretBytes: CustomReflectable {
    /// Empty, so that reflection does not expose the secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Secrets that the SDK itself checks.
package enum SecretKind: Hashable, Sendable {
    case pin
    case password
}

extension AuthenticatorAaid {
    /// The secret of this kind of authenticator; nil where the operating system verifies the user.
    var secretKind: SecretKind? {
        switch self {
        case .Pin: .pin
        case .Password: .password
        case .Fingerprint, .FaceRecognition, .DevicePasscode: nil
        }
    }
}

extension SecretKind {
    /// The authenticator that asks for it.
    var authenticator: AuthenticatorAaid {
        switch self {
        case .pin: .Pin
        case .password: .Password
        }
    }
}

/// Secrets that a user entered to replace one by the other.
package struct OldAndNewSecret: Sendable {
    package let old: SecretBytes
    package let new: SecretBytes

    package init(old: SecretBytes, new: SecretBytes) {
        self.old = old
        self.new = new
    }
}

/// Flaw of an answer with secrets; the user is asked again.
package enum SecretFlaw: Sendable {
    /// The old secret was wrong.
    case wrong
    /// The new secret is the old one.
    case unchanged
    /// A PIN has something other than digits, or not the right number of them.
    case malformedPin(digits: ClosedRange<Int>)
    /// A PIN is one that many people choose.
    case guessablePin
    /// A password is empty, too long, or has control characters.
    case unusablePassword
    /// The policy of the application refuses it.
    case unwanted(message: String, cause: (any Error)?)
}

/// Result of judging a new secret.
package enum SecretJudgement: Sendable {
    /// It may be used.
    case accepted(SecretBytes)
    /// The user has to choose another one.
    case refused(SecretFlaw)
}

/// Proof that the secret of a key was entered just now, and the means to replace it.
package protocol OpenedSecret: Sendable {
    /// Whether a new secret is the one that the key has already.
    func isSame(as new: SecretBytes) async throws(CeremonyFailure) -> Bool

    /// Puts the key under a new secret; from then on the old one is wrong.
    func replace(with new: SecretBytes) async throws(CeremonyFailure)
}
