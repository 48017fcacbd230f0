/// Identifier of an extension in the global name space of FIDO extensions.
///
/// FIDO UAF Protocol 1.1, 3.1.8; 1 to 32 Unicode scalar values. Compared byte by byte.
public struct ExtensionID: Hashable, Sendable, CustomStringConvertible {
    /// Allowed number of Unicode scalar values.
    public static let scalarCounts = 1...32

    private let exact: ExactString

    /// Takes text of an allowed length; nil for anything else.
    public init?(_ text: String) {
        guard let exact = ExactString(text, scalarCount: Self.scalarCounts) else { return nil }
        self.exact = exact
    }

    private init(known text: String) { exact = ExactString(text) }

    /// The text as it was given.
    public var text: String { exact.text }

    /// Same as ``text``.
    public var description: String { text }
}

extension ExtensionID {
    /// User verification method that was really used: a signed extension, data as in ``UserVerificationMethodUsed``.
    public static let userVerificationMethod = ExtensionID(known: "fido.uaf.uvm")
    /// Android SafetyNet statement about the device (retired by its operator).
    public static let safetyNet = ExtensionID(known: "fido.uaf.safetynet")
    /// Android key attestation certificates.
    public static let androidKeyAttestation = ExtensionID(known: "fido.uaf.android.key_attestation")
    /// Evidence that a chip holds a key, an addition of this project: ``KeyAttestationEvidence``, or the demand for it.
    package static let keyAttestation = ExtensionID(known: "signet.uaf.key_attestation")
    /// Announcement of a server that it judges the ``ServerBinding``, an addition of this project.
    package static let serverBinding = ExtensionID(known: "signet.uaf.server_binding")
}
