package import UAF

/// A numbered check of the server's processing rules (FIDO UAF Protocol 1.1, 3.4.6.5 and 3.5.7.5).
///
/// The numbers are the project's own and follow the order of the specification's steps: a number is the place of the
/// check in ``entries(of:)``, and `docs/uaf-checks.md` lists them all. Which reason belongs to which check says
/// `RefusalReason.rule(for:)`.
package struct Rule: Hashable, Sendable, CustomStringConvertible {
    /// Which table.
    package enum Operation: String, Hashable, Sendable {
        /// Registration response.
        case registration
        /// Authentication response, with or without a transaction.
        case authentication
    }

    /// Operation whose response is checked.
    package let operation: Operation
    /// Number of the check, from 1; 0 is none of them.
    package let check: Int

    /// Operation and number.
    package var description: String { "\(operation.rawValue) \(check)" }
}

extension RefusalReason {
    /// UAF status code sent to the client; its assignment to the reasons is a choice of this project.
    package var status: StatusCode {
        switch self {
        case .channelBinding: .channelBindingRefused
        case .foreignChallenge, .challenge: .requestInvalid
        case .unknownModel: .unknownAAID
        case .revokedModel, .disabledCredential, .outdatedAuthenticator: .revokedAuthenticator
        case .policy, .incompleteSet, .otherModelsKey, .registrationCounter: .unacceptableAuthenticator
        case .unknownKey: .unknownKeyID
        case .foreignKey: .unauthorized
        case .publicKey: .unacceptableKey
        case .unsupportedAlgorithm: .unacceptableAlgorithm
        case .attestationType, .certificatePath, .attestationSignature: .unacceptableAttestation
        default: .unacceptableContent
        }
    }

    /// The check that finds this.
    func rule(for operation: Rule.Operation) -> Rule {
        let check =
            switch operation {
            case .registration: commonCheck ?? registrationCheck
            case .authentication: commonCheck ?? authenticationCheck
            }
        return Rule(operation: operation, check: check)
    }

    /// Number of the check that finds this, by operation; nil where there is none.
    private var commonCheck: Int? {
        switch self {
        case .message(let error): Self.check(of: error)
        case .header: 2
        case .serverData: 3
        case .appID: 5
        case .facet: 6
        case .channelBinding: 7
        case .foreignChallenge, .challenge: 8
        case .tooManyAssertions, .assertionScheme: 9
        case .criticalExtension: 10
        default: nil
        }
    }

    /// The member that is at fault tells which check failed.
    private static func check(of error: MessageError) -> Int {
        switch error {
        case .unsupportedVersion, .unknownCriticalExtension: return 2
        case .invalidMember(let path, _):
            if path.contains("header") { return 2 }
            if path.contains("fcParams") { return 4 }
            return path.contains("assertions") ? 9 : 1
        default: return 1
        }
    }

    private var registrationCheck: Int {
        switch self {
        case .assertionEncoding(let error): Self.isAttestationCount(error) ? 20 : 11
        case .unknownModel: 12
        case .revokedModel: 13
        case .policy, .incompleteSet: 14
        case .authenticationMode: 15
        case .finalChallengeHash: 16
        case .outdatedAuthenticator: 17
        case .publicKey: 18
        case .unsupportedAlgorithm, .algorithmMismatch: 19
        case .attestationType: 20
        case .certificatePath: 21
        case .attestationSignature: 22
        case .registrationCounter: 23
        default: 24
        }
    }

    private static func isAttestationCount(_ error: TLVError?) -> Bool {
        guard case .attestationCount = error else { return false }
        return true
    }

    private var authenticationCheck: Int {
        switch self {
        case .assertionEncoding: 11
        case .unknownModel, .revokedModel, .policy, .incompleteSet: 12
        case .unknownKey, .foreignKey: 13
        case .otherModelsKey, .disabledCredential: 14
        case .outdatedAuthenticator: 15
        case .algorithmMismatch, .unsupportedAlgorithm: 16
        case .signCounter: 17
        case .finalChallengeHash: 18
        case .authenticationMode, .transaction: 19
        default: 20
        }
    }
}
