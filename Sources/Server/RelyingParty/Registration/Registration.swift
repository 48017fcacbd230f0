package import UAF

/// Verification of registration responses (FIDO UAF Protocol 1.1, 3.4.6.5).
///
/// The steps have one order: `received` reads, `addressed` ties the response to a request, `verified` judges it. Each
/// step takes what the one before has proved, so none can be left out.
package struct RegistrationVerification: Sendable {
    private let settings: RelyingPartySettings

    package init(settings: RelyingPartySettings) {
        self.settings = settings
    }

    /// Reads message, header and final challenge parameters of a response with no more assertions than are judged.
    ///
    /// `message` is the JSON text of the UAF message, UTF-8. A refusal consumes nothing.
    package func received(_ message: [UInt8]) throws(RelyingPartyError) -> ReceivedRegistration {
        do throws(RefusalReason) {
            let response = try response(in: message)
            try HeaderCheck.require(response.header)
            try AssertionCountCheck.require(response.assertions.count)
            let assertions = response.assertions.map { assertion(in: $0) }
            return ReceivedRegistration(response, assertions: assertions)
        } catch {
            throw RelyingPartyError(error, operation: .registration, stage: .addressing)
        }
    }

    private func response(in message: [UInt8]) throws(RefusalReason) -> RegistrationResponse {
        do throws(MessageError) {
            return try RegistrationResponse(message: message, rules: settings.profile.decoding)
        } catch {
            throw .message(error)
        }
    }

    /// The assertion of an entry; a fault concerns one only, so it is kept beside the others instead of being thrown.
    private func assertion(
        in entry: AuthenticatorRegistrationAssertion
    ) -> Result<RegistrationAssertion, RefusalReason> {
        guard entry.scheme == .uafV1TLV else { return .failure(.assertionScheme) }
        guard let octets = try? entry.octets(rules: settings.profile.decoding) else {
            return .failure(.assertionEncoding(nil))
        }
        do throws(TLVError) {
            return .success(try RegistrationAssertion(octets: octets))
        } catch {
            return .failure(.assertionEncoding(error))
        }
    }

    /// Ties a response to its request by server data, appID, facet and channel binding; a refusal consumes nothing.
    package func addressed(
        _ received: consuming ReceivedRegistration, to offer: consuming RegistrationOffer
    ) throws(RelyingPartyError) -> AddressedRegistration {
        do throws(RefusalReason) {
            try AddressCheck.require(
                received.response.finalChallenge, received.response.header, to: offer.request, settings: settings)
            return AddressedRegistration(offer: offer, received: received)
        } catch {
            throw RelyingPartyError(error, operation: .registration, stage: .addressing)
        }
    }

    /// Verifies the challenge and the assertions of a response without attestation certificates.
    ///
    /// - Parameters:
    ///   - addressed: The response.
    ///   - challenge: The state of its challenge.
    ///   - registered: The existing credentials among ``AddressedRegistration/claimedCredentials``, of all users.
    /// - Returns: The credentials to store in the transaction that consumes the challenge.
    /// - Throws: The first rule that is broken; full attestation is refused here.
    package func verified(
        _ addressed: AddressedRegistration, challenge: ChallengeState, registered: Set<CredentialID>
    ) throws(RelyingPartyError) -> VerifiedRegistration {
        let judgement = try begin(addressed, challenge: challenge)
        return try judgement.outcome(registered: registered, paths: [:])
    }

    /// Verifies the challenge and the assertions of any response; validates certificate paths as of `now`.
    ///
    /// - Parameters:
    ///   - addressed: The response.
    ///   - challenge: The state of its challenge.
    ///   - registered: The existing credentials among ``AddressedRegistration/claimedCredentials``, of all users.
    ///   - now: The time that certificates have to be valid at.
    /// - Returns: The credentials to store in the transaction that consumes the challenge.
    /// - Throws: The first rule that is broken.
    package func verified(
        _ addressed: AddressedRegistration, challenge: ChallengeState, registered: Set<CredentialID>, at now: Moment
    ) async throws(RelyingPartyError) -> VerifiedRegistration {
        let judgement = try begin(addressed, challenge: challenge)
        let paths = await judgement.certificatePaths(at: now)
        return try judgement.outcome(registered: registered, paths: paths)
    }

    /// Checks the challenge.
    private func begin(
        _ addressed: AddressedRegistration, challenge: ChallengeState
    ) throws(RelyingPartyError) -> RegistrationVerifier {
        do throws(RefusalReason) {
            try ChallengeCheck.require(
                addressed.received.response.finalChallenge.challenge, of: addressed.offer.request, state: challenge)
        } catch {
            throw RelyingPartyError(error, operation: .registration, stage: .judging)
        }
        return RegistrationVerifier(addressed: addressed, settings: settings)
    }
}

/// A registration request that the server sent, and for whom.
package struct RegistrationOffer: Hashable, Sendable {
    package let request: SentRequest
    package let account: AccountReference
    package let keyAttestation: KeyAttestationRule

    package init(request: SentRequest, account: AccountReference, keyAttestation: KeyAttestationRule = .ignored) {
        self.request = request
        self.account = account
        self.keyAttestation = keyAttestation
    }
}

/// Names one act of registering a credential, in the identifiers of the caller's store.
///
/// The same AAID and KeyID registered again have another one.
package struct RegistrationReference: Hashable, Sendable {
    package let octets: [UInt8]

    package init(_ octets: [UInt8]) {
        self.octets = octets
    }
}

/// New credentials that may be stored; only ``RegistrationVerification`` makes it.
package struct VerifiedRegistration: Sendable {
    /// One proved key.
    package struct Credential: Sendable {
        /// Data that the authenticator signed: model, KeyID, counters, version, extensions.
        package let data: KeyRegistrationData
        package let key: VerificationKey
        package let attestation: AttestationType
        /// Certificates (DER) of a full attestation, the attesting key first; their path is valid.
        package let certificates: [[UInt8]]
        /// Codings of a PNG that its display takes, where the authenticator stated them itself.
        package let displayCharacteristics: [DisplayPNGCharacteristics]
        /// Whether the authenticator is older than its metadata trusts.
        package let isIncreasedRisk: Bool
        /// Its place in the answer, from 0.
        package let assertion: Int
        /// Protection of the key by a chip, as far as it is proved.
        package let protection: KeyAttestationFinding

        package var id: CredentialID { data.credential }
    }

    /// Owner of the credentials: the user the request was made for.
    package let account: AccountReference
    /// The challenge that is consumed with it.
    package let challenge: ServerChallenge
    /// The credentials to store, at least one.
    package let credentials: [Credential]
    package let skipped: [RelyingPartyError]

    /// The credential of a registration with one; nil for several.
    package var onlyCredential: Credential? { credentials.count == 1 ? credentials.first : nil }
}
