package import UAF

/// Reason to refuse a response, found by one check.
@nonexhaustive
package enum RefusalReason: Error, Hashable, Sendable {
    // MARK: The message: a response to the request that was sent

    /// The message is not an array of one response of protocol version 1.1.
    case message(MessageError)
    /// The header names another version or operation.
    case header
    /// The header or an assertion holds an extension that must not be ignored and is not known.
    case criticalExtension
    /// `serverData` is not the text that was sent, or does not open.
    case serverData
    /// The final challenge parameters are for another application.
    case appID
    /// The application that answered is not one of ours.
    case facet
    /// The channel binding is missing, or belongs to another connection.
    case channelBinding
    /// The server binding is missing, names another server, or another exchange than the one of the request.
    case serverBinding
    /// The challenge is not the one of the request.
    case foreignChallenge
    /// The challenge cannot be answered (any more).
    case challenge(ChallengeState)

    // MARK: The authenticator: known, acceptable and asked for

    /// More assertions than any policy can ask for.
    case tooManyAssertions
    /// The scheme is not the one of this protocol, or not the one in the metadata.
    case assertionScheme
    /// The assertion is not base64url, or not the TLV structure it has to be.
    case assertionEncoding(TLVError?)
    /// There is no metadata for the model.
    case unknownModel
    /// The status of the model makes it unacceptable.
    case revokedModel
    /// The model, or the key, is not one that the request asked for.
    case policy
    /// The assertions that stand do not fill one of the accepted sets.
    case incompleteSet
    case unknownKey
    /// The KeyID belongs to another user.
    case foreignKey
    case otherModelsKey
    case disabledCredential

    // MARK: The assertion: fresh, bound to the challenge and signed

    case authenticationMode
    /// The assertion is bound to another final challenge.
    case finalChallengeHash
    /// The authenticator is older than its metadata allows.
    case outdatedAuthenticator
    case publicKey(VerificationKeyError)
    case unsupportedAlgorithm
    /// The signature algorithm is not the one of the model, or of the registration.
    case algorithmMismatch
    /// The kind of attestation is not one that metadata and request allow, or not supported.
    case attestationType
    /// The attestation certificates do not lead to a root of the metadata.
    case certificatePath(CertificatePathError)
    case attestationSignature(SignatureRefusal)
    /// The registration counter is beyond the limit.
    case registrationCounter
    case keyIDLength
    case alreadyRegistered
    /// The evidence that a chip holds the key is missing although the policy demands it, or does not hold.
    case keyAttestation(KeyAttestationRefusal)
    /// The signature counter did not grow.
    ///
    /// `suspectsClone` names the credential when the assertion is otherwise good: then the key exists twice. A forged
    /// assertion raises no alarm.
    case signCounter(suspectsClone: RegistrationReference?)
    /// The hash belongs to no transaction to confirm, or there is none to confirm.
    case transaction
    case signature(SignatureRefusal)
}
