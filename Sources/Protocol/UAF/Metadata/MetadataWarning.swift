/// Rule violation of a metadata statement that does not keep it from being used.
///
/// FIDO Metadata Statements 1.1, 4; FIDO Registry of Predefined Values 1.1, 3.
@nonexhaustive
public enum MetadataWarning: Hashable, Sendable {
    /// The key format does not go with the algorithm.
    case keyFormatContradictsAlgorithm
    /// One descriptor of a verification method names several methods or none.
    case severalMethodsInOneDescriptor
    /// The verification methods cannot be expressed in one value, so policies have to name the AAID.
    case userVerificationNotExpressible
    /// Key protection is 0 or combines values that exclude each other.
    case keyProtectionInconsistent
    /// Key protection names a trusted environment or element without naming hardware.
    case keyProtectionLacksHardware
    /// Matcher protection is not exactly one value.
    case matcherProtectionInconsistent
    /// The attachment hint is 0, or combines internal with something else.
    case attachmentHintInconsistent
    /// There is a display whose kind is not declared.
    case displayKindUndeclared
    /// There is a display without a content type, or an image display without characteristics, or the reverse.
    case displayContentInconsistent
    /// Root certificates are missing although full attestation is supported, or present although it is not.
    case rootCertificatesInconsistent
    /// UAF 1.1 is not among the versions.
    case versionMissing
    /// There is no icon.
    case iconMissing
}
