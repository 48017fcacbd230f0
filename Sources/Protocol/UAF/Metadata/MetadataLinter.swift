/// Compares a metadata statement with the rules for such statements.
public enum MetadataLinter {
    /// Everything that is against a rule, in a fixed order; the statement is usable in any case.
    public static func warnings(for statement: MetadataStatement) -> [MetadataWarning] {
        signingWarnings(statement) + userVerificationWarnings(statement) + protectionWarnings(statement)
            + displayWarnings(statement.display) + attestationWarnings(statement)
    }

    private static func signingWarnings(_ statement: MetadataStatement) -> [MetadataWarning] {
        let ecc: [AuthenticationAlgorithm] = [
            .secp256r1ECDSASHA256Raw, .secp256r1ECDSASHA256DER, .secp256k1ECDSASHA256Raw, .secp256k1ECDSASHA256DER,
            .sm2SM3Raw,
        ]
        let eccFormats: [PublicKeyFormat] = [.eccX962Raw, .eccX962DER]
        let profiles = [statement.signing] + statement.additionalSigningProfiles
        let fits = profiles.allSatisfy { ecc.contains($0.algorithm) == eccFormats.contains($0.publicKeyFormat) }
        var warnings: [MetadataWarning] = fits ? [] : [.keyFormatContradictsAlgorithm]
        if !statement.supportedVersions.contains(.version11) { warnings.append(.versionMissing) }
        return warnings
    }

    private static func userVerificationWarnings(_ statement: MetadataStatement) -> [MetadataWarning] {
        var warnings: [MetadataWarning] = []
        let methods = statement.userVerificationDetails.joined()
        if methods.contains(where: { $0.userVerification.rawValue.nonzeroBitCount != 1 }) {
            warnings.append(.severalMethodsInOneDescriptor)
        }
        if statement.userVerification == nil { warnings.append(.userVerificationNotExpressible) }
        return warnings
    }

    private static func protectionWarnings(_ statement: MetadataStatement) -> [MetadataWarning] {
        var warnings: [MetadataWarning] = []
        let keys = statement.keyProtection
        let places = keys.subtracting(.remoteHandle)
        let excluding: KeyProtection = [.trustedExecution, .secureElement]
        if places.isEmpty || keys.contains(excluding) || (keys.contains(.software) && places != .software) {
            warnings.append(.keyProtectionInconsistent)
        } else if !keys.isDisjoint(with: excluding), !keys.contains(.hardware) {
            warnings.append(.keyProtectionLacksHardware)
        }
        if statement.matcherProtection.rawValue.nonzeroBitCount != 1 {
            warnings.append(.matcherProtectionInconsistent)
        }
        let hint = statement.attachmentHint
        if hint.isEmpty || (hint.contains(.internal) && hint != .internal) {
            warnings.append(.attachmentHintInconsistent)
        }
        return warnings
    }

    private static func displayWarnings(_ display: TransactionDisplay) -> [MetadataWarning] {
        var warnings: [MetadataWarning] = []
        if display.kind == .any { warnings.append(.displayKindUndeclared) }
        let wantsPictures = display.contentType == .png
        if display.kind.isEmpty != (display.contentType == nil) || wantsPictures == display.characteristics.isEmpty {
            warnings.append(.displayContentInconsistent)
        }
        return warnings
    }

    private static func attestationWarnings(_ statement: MetadataStatement) -> [MetadataWarning] {
        var warnings: [MetadataWarning] = []
        let hasFull = statement.attestationTypes.contains(.basicFull)
        if hasFull != statement.hasAttestationRoots { warnings.append(.rootCertificatesInconsistent) }
        if statement.icon?.isEmpty ?? true { warnings.append(.iconMissing) }
        return warnings
    }
}
