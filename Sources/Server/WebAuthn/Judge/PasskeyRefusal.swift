package import DeviceAttestation

/// Reason to refuse an answer, found by one step of the standard.
@nonexhaustive
package enum PasskeyRefusal: Error, Hashable, Sendable {
    // MARK: The answer

    /// The answer is not the JSON that browsers make of a credential, or of the other ceremony.
    case answer
    /// The results of extensions in the client are missing or not of their form.
    case clientExtensions
    /// The authenticator data are not of the structure of section 6.1.
    case authenticatorData
    /// The attestation object is not canonical CBOR with its three members.
    case attestationObject

    // MARK: The credential

    /// The request has named other credentials.
    case notAllowed
    /// There is no such credential, or it is one of another user.
    case unknownCredential
    /// The authenticator names another user.
    case foreignUser
    /// The authenticator names no user, and none was known.
    case userMissing

    // MARK: Client data

    /// The client data are not UTF-8.
    case clientDataText
    /// The client data are not JSON in the serialization of the standard.
    case clientData
    /// The client data are about another ceremony.
    case type
    case challenge
    case origin
    /// The page stood in a frame of another origin.
    case embedded
    /// The page around it is not an expected one.
    case topOrigin

    // MARK: Authenticator data

    /// The authenticator has answered for another RP ID.
    case relyingPartyID
    case userPresence
    case userVerification
    /// The key is said to be on several devices although it cannot be.
    case backupState
    /// The key can leave its device, which the settings or its registration exclude; or it no longer can.
    case backupEligibility

    // MARK: New key

    /// The algorithm of the key is not offered.
    case algorithm
    /// The key is not one of its algorithm, strictly encoded.
    case publicKey
    case format
    case statement(StatementRefusal)
    /// There is no root for the certificates of the statement.
    case rootMissing
    case certificatePath(PathRefusal)
    /// The status of the model makes it unacceptable.
    case revokedModel
    /// A key without a statement, or with no other statement than its own, is not taken.
    case attestationMissing
    case credentialIDLength
    case alreadyRegistered
    /// The identifier beside the answer is not the one that the authenticator names.
    case foreignCredentialID

    // MARK: Signature

    case signature
    /// The counter did not grow although the signature is good: the key may exist twice.
    case signCounter

    package var word: String {
        switch self {
        case .statement(let refusal): "statement.\(refusal.word)"
        case .certificatePath(let refusal): "certificatePath.\(refusal)"
        default: "\(self)"
        }
    }
}

/// Ceremony of Web Authentication.
package enum PasskeyCeremony: String, Hashable, Sendable, CaseIterable {
    case registration, authentication

    /// Section of Web Authentication Level 3 that says how the relying party judges an answer.
    package var section: String {
        switch self {
        case .registration: "7.1"
        case .authentication: "7.2"
        }
    }
}

/// Refusal of an answer, with the step of the standard that it breaks.
package struct PasskeyError: Error, Hashable, Sendable, CustomStringConvertible {
    package let refusal: PasskeyRefusal
    package let ceremony: PasskeyCeremony
    /// Number of the step in ``PasskeyCeremony/section``.
    package let step: Int

    init(_ refusal: PasskeyRefusal, in ceremony: PasskeyCeremony) {
        self.refusal = refusal
        self.ceremony = ceremony
        step = ceremony == .registration ? refusal.steps.registration : refusal.steps.authentication
    }

    package var description: String { "\(ceremony.section) step \(step): \(refusal.word)" }
}

extension PasskeyRefusal {
    /// The step that finds it; 0 where the ceremony has none.
    fileprivate var steps: (registration: Int, authentication: Int) {
        switch self {
        case .answer: (3, 3)
        case .clientExtensions: (4, 4)
        case .notAllowed: (0, 5)
        case .unknownCredential, .foreignUser, .userMissing: (0, 6)
        case .authenticatorData: (13, 7)
        case .clientDataText: (5, 8)
        case .clientData: (6, 9)
        case .type: (7, 10)
        case .challenge: (8, 11)
        case .origin: (9, 12)
        case .embedded: (10, 13)
        case .topOrigin: (11, 14)
        case .attestationObject: (13, 0)
        case .relyingPartyID: (14, 15)
        case .userPresence: (15, 16)
        case .userVerification: (16, 17)
        case .backupState: (17, 18)
        case .backupEligibility: (18, 19)
        case .algorithm, .publicKey: (20, 0)
        case .format: (21, 0)
        case .statement: (22, 0)
        case .rootMissing: (23, 0)
        case .certificatePath, .revokedModel, .attestationMissing: (24, 0)
        case .credentialIDLength: (25, 0)
        case .alreadyRegistered: (26, 0)
        case .foreignCredentialID: (27, 0)
        case .signature: (0, 21)
        case .signCounter: (0, 22)
        }
    }
}
