import ServerCore
import UAF

extension MetadataCatalog {
    /// What the metadata statements say against the rules, a sentence for each; they are used all the same.
    var lintWarnings: [String] {
        statements.flatMap { statement in
            MetadataLinter.warnings(for: statement).map { warning in
                "the metadata of \(statement.aaid) \(warning.words)"
            }
        }
    }
}

extension MetadataWarning {
    /// The end of a sentence whose subject is a metadata statement.
    fileprivate var words: String {
        switch self {
        case .keyFormatContradictsAlgorithm: "names a format of public keys that does not go with the algorithm"
        case .severalMethodsInOneDescriptor:
            "names several ways of user verification, or none, in one descriptor (userVerificationDetails)"
        case .userVerificationNotExpressible:
            "has ways of user verification that one value cannot express: policies have to name the model"
        case .keyProtectionInconsistent: "combines values of keyProtection that exclude each other"
        case .keyProtectionLacksHardware: "names a secure element or a TEE in keyProtection without hardware"
        case .matcherProtectionInconsistent: "does not have exactly one value of matcherProtection"
        case .attachmentHintInconsistent: "combines internal with something else in attachmentHint, or is empty there"
        case .displayKindUndeclared: "has a display without saying of which kind (tcDisplay)"
        case .displayContentInconsistent: "has a display whose content type and characteristics do not go together"
        case .rootCertificatesInconsistent:
            "has root certificates without full attestation, or full attestation without root certificates"
        case .versionMissing: "does not name UAF 1.1 among its versions (upv)"
        case .iconMissing: "has no icon"
        @unknown default: "breaks a rule for such statements"
        }
    }
}
