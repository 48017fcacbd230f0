/// What the FIDO Alliance says about a model; unknown values are kept and ignored.
///
/// FIDO Metadata Service 1.1, 3.1.4.
public struct AuthenticatorStatus: Hashable, Sendable {
    /// Not certified.
    public static let notCertified = AuthenticatorStatus("NOT_FIDO_CERTIFIED")
    /// Certified.
    public static let certified = AuthenticatorStatus("FIDO_CERTIFIED")
    /// User verification can be got around.
    public static let userVerificationBypass = AuthenticatorStatus("USER_VERIFICATION_BYPASS")
    /// The attestation key is known to others.
    public static let attestationKeyCompromise = AuthenticatorStatus("ATTESTATION_KEY_COMPROMISE")
    /// Keys of users can be taken from afar.
    public static let userKeyRemoteCompromise = AuthenticatorStatus("USER_KEY_REMOTE_COMPROMISE")
    /// Keys of users can be taken by whoever holds the device.
    public static let userKeyPhysicalCompromise = AuthenticatorStatus("USER_KEY_PHYSICAL_COMPROMISE")
    /// There is an update.
    public static let updateAvailable = AuthenticatorStatus("UPDATE_AVAILABLE")
    /// Not to be trusted any more (status code 1493).
    public static let revoked = AuthenticatorStatus("REVOKED")
    /// The maker assesses itself.
    public static let selfAssertionSubmitted = AuthenticatorStatus("SELF_ASSERTION_SUBMITTED")

    private static let known: Set<AuthenticatorStatus> = [
        notCertified, certified, userVerificationBypass, attestationKeyCompromise, userKeyRemoteCompromise,
        userKeyPhysicalCompromise, updateAvailable, revoked, selfAssertionSubmitted,
    ]

    private let exact: ExactString

    /// Takes a status as it is.
    public init(_ name: String) {
        exact = ExactString(name)
    }

    /// The name as it was given.
    public var name: String { exact.text }

    /// The level of security certification, 1 to 4, when the status states one.
    public var securityLevel: Int? {
        (1...4).first { AuthenticatorStatus("FIDO_SECURITY_CERTIFIED_L\($0)") == self }
    }

    /// Whether the value means something to this package.
    public var isKnown: Bool { Self.known.contains(self) || securityLevel != nil }
}
