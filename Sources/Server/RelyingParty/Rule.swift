package import UAF

/// A numbered check of the server's processing rules (FIDO UAF Protocol 1.1, 3.4.6.5 and 3.5.7.5).
///
/// The numbers are the project's own and follow the order of the specification's steps: a number is the place of the
/// check in ``entries(of:)``, and `docs/security/uaf-checks.md` lists them all. Which reason belongs to which check says
/// `RefusalReason.rule(for:)`.
package struct Rule: Hashable, Sendable, CustomStringConvertible {
    /// Operation whose response is checked.
    package enum Operation: String, Hashable, Sendable, CaseIterable {
        case registration
        /// Authentication response, with or without a transaction.
        case authentication

        /// Section of FIDO UAF Protocol 1.1 that says how a server processes the response.
        package var section: String {
            switch self {
            case .registration: "3.4.6.5"
            case .authentication: "3.5.7.5"
            }
        }
    }

    package let operation: Operation
    /// Number of the check, from 1; 0 is none of them.
    package let check: Int

    package var description: String { "\(operation.rawValue) \(check)" }
}

extension RefusalReason {
    /// UAF status code sent to the client; its assignment to the reasons is a choice of this project.
    package var status: StatusCode {
        switch self {
        case .channelBinding, .serverBinding: .channelBindingRefused
        case .foreignChallenge, .challenge: .requestInvalid
        case .unknownModel: .unknownAAID
        case .revokedModel, .disabledCredential, .outdatedAuthenticator: .revokedAuthenticator
        case .policy, .incompleteSet, .otherModelsKey, .registrationCounter: .unacceptableAuthenticator
        case .unknownKey: .unknownKeyID
        case .foreignKey: .unauthorized
        case .publicKey: .unacceptableKey
        case .unsupportedAlgorithm: .unacceptableAlgorithm
        case .attestationType, .certificatePath, .attestationSignature, .keyAttestation: .unacceptableAttestation
        case .message, .header, .criticalExtension, .serverData, .appID, .facet, .tooManyAssertions, .assertionScheme,
            .assertionEncoding, .authenticationMode, .finalChallengeHash, .algorithmMismatch, .keyIDLength,
            .alreadyRegistered, .signCounter, .transaction, .signature:
            .unacceptableContent
        }
    }

    /// The check that finds this in a response to `operation`; nil when the operation has no such check.
    package func rule(for operation: Rule.Operation) -> Rule? {
        let check =
            switch operation {
            case .registration: numbers.registration
            case .authentication: numbers.authentication
            }
        guard let check else { return nil }
        return Rule(operation: operation, check: check)
    }

    private var numbers: (registration: Int?, authentication: Int?) {
        switch self {
        case .message(let error): (Self.number(of: error.part), Self.number(of: error.part))
        case .header: (2, 2)
        case .serverData: (3, 3)
        case .appID: (5, 5)
        case .facet: (6, 6)
        case .channelBinding, .serverBinding: (7, 7)
        case .foreignChallenge, .challenge: (8, 8)
        case .tooManyAssertions, .assertionScheme: (9, 9)
        case .criticalExtension: (10, 10)
        case .assertionEncoding(.some(.attestationCount)): (20, nil)
        case .assertionEncoding: (11, 11)
        case .unknownModel: (12, 12)
        case .revokedModel: (13, 12)
        case .policy, .incompleteSet: (14, 12)
        case .unknownKey, .foreignKey: (nil, 13)
        case .otherModelsKey, .disabledCredential: (nil, 14)
        case .authenticationMode: (15, 19)
        case .finalChallengeHash: (16, 18)
        case .outdatedAuthenticator: (17, 15)
        case .publicKey: (18, nil)
        case .unsupportedAlgorithm: (19, nil)
        case .algorithmMismatch: (19, 16)
        case .attestationType: (20, nil)
        case .certificatePath: (21, nil)
        case .attestationSignature: (22, nil)
        case .registrationCounter: (23, nil)
        case .keyIDLength, .alreadyRegistered: (24, nil)
        case .keyAttestation: (25, nil)
        case .signCounter: (nil, 17)
        case .transaction: (nil, 19)
        case .signature: (nil, 20)
        }
    }

    private static func number(of part: MessageError.Part) -> Int {
        switch part {
        case .envelope: 1
        case .header: 2
        case .finalChallengeParameters: 4
        case .assertions: 9
        }
    }
}
