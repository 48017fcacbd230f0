import RelyingParty
import UAF

/// Reasons to refuse a response: each case at least once, and more than once where its value decides the check.
enum RefusalSample {
    static let reasons: [RefusalReason] = [
        .message(.emptyMessage), .message(.unsupportedVersion), .message(.unknownCriticalExtension),
        .message(.invalidMember(path: ["header"], .missing)), .message(.invalidMember(path: ["fcParams"], .missing)),
        .message(.invalidMember(path: ["assertions"], .missing)), .header, .criticalExtension, .serverData, .appID,
        .facet, .channelBinding, .serverBinding, .foreignChallenge, .challenge(.expired), .tooManyAssertions,
        .assertionScheme,
        .assertionEncoding(nil), .assertionEncoding(.attestationCount(0)), .unknownModel, .revokedModel, .policy,
        .incompleteSet, .unknownKey, .foreignKey, .otherModelsKey, .disabledCredential, .authenticationMode,
        .finalChallengeHash, .outdatedAuthenticator, .publicKey(.malformed), .unsupportedAlgorithm, .algorithmMismatch,
        .attestationType, .certificatePath(.malformed), .attestationSignature(.wrong), .registrationCounter,
        .keyIDLength, .alreadyRegistered, .keyAttestation(.missing), .signCounter(suspectsClone: nil), .transaction,
        .signature(.wrong),
    ]

    /// The reasons that the check of this number finds in a response to one of the operations.
    static func reasons(of number: Int, in operations: [Rule.Operation]) -> [RefusalReason] {
        reasons.filter { reason in operations.contains { reason.rule(for: $0)?.check == number } }
    }

    /// The names of the cases, each once, in the order of the reasons.
    static func names(of reasons: [RefusalReason]) -> [String] {
        var names: [String] = []
        for reason in reasons {
            let name = name(of: reason)
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    static func name(of reason: RefusalReason) -> String {
        String(String(describing: reason).prefix { $0 != "(" })
    }
}
