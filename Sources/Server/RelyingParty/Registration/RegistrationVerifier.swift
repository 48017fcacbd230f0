import UAF

/// Verification of the assertions of one registration response.
struct RegistrationVerifier {
    let addressed: AddressedRegistration
    let settings: RelyingPartySettings

    /// Keys of attestation certificates by the position of their assertion.
    typealias Paths = [Int: Result<AttestationKey, CertificatePathError>]

    /// Validates the certificates of every assertion that has some and is about a known model.
    func certificatePaths(at now: Moment) async -> Paths {
        var paths: Paths = [:]
        for (position, assertion) in addressed.received.assertions.enumerated() {
            guard case .success(let assertion) = assertion,
                case .full(_, let certificates) = assertion.attestation,
                let model = settings.models[assertion.keyRegistrationData.credential.aaid]
            else { continue }
            do throws(CertificatePathError) {
                paths[position] = .success(try await CertificatePathCheck.key(of: certificates, model: model, at: now))
            } catch {
                paths[position] = .failure(error)
            }
        }
        return paths
    }

    /// Judges each assertion; the ones that stand must fill an accepted set.
    func outcome(
        registered: Set<CredentialID>, paths: Paths
    ) throws(RelyingPartyError) -> VerifiedRegistration {
        var standing: [Judged] = []
        var skipped: [RelyingPartyError] = []
        for position in addressed.received.assertions.indices {
            do throws(RefusalReason) {
                let judged = try verify(position, path: paths[position] ?? .failure(.notValidated)) { id in
                    registered.contains(id) || standing.contains { $0.credential.id == id }
                }
                standing.append(judged)
            } catch {
                skipped.append(
                    RelyingPartyError(error, operation: .registration, stage: .judging, assertion: position))
            }
        }
        let chosen = try chosen(from: standing, skipped: skipped)
        return VerifiedRegistration(
            account: addressed.offer.account, challenge: addressed.offer.request.challenge, credentials: chosen,
            skipped: skipped)
    }

    /// Requires a complete accepted set; an incomplete one is refused for the first assertion that was skipped.
    private func chosen(
        from standing: [Judged], skipped: [RelyingPartyError]
    ) throws(RelyingPartyError) -> [VerifiedRegistration.Credential] {
        do throws(RefusalReason) {
            return try SetCheck.filled(addressed.offer.request.policy, by: standing.indices) {
                standing[$1].satisfies($0)
            }
            .map { standing[$0].credential }
        } catch {
            throw skipped.first ?? RelyingPartyError(error, operation: .registration, stage: .judging)
        }
    }

    // MARK: - One assertion

    /// An assertion that stands.
    private struct Judged {
        let credential: VerifiedRegistration.Credential
        let claim: PolicyCheck.Claim

        func satisfies(_ criteria: MatchCriteria) -> Bool {
            PolicyCheck.fits(criteria, claim) && PolicyCheck.admitsNewKey(criteria)
                && AttestationCheck.admits(credential.attestation, of: claim.model, criteria)
        }
    }

    private func verify(
        _ position: Int, path: Result<AttestationKey, CertificatePathError>, isRegistered: (CredentialID) -> Bool
    ) throws(RefusalReason) -> Judged {
        let assertion = try addressed.received.assertions[position].get()
        let entry = addressed.received.response.assertions[position]
        let data = assertion.keyRegistrationData
        let claim = try claim(of: assertion, in: entry)
        guard data.info.mode == .userVerified else { throw .authenticationMode }
        try FinalChallengeHashCheck.require(data.finalChallengeHashOctets, equals: addressed.received.challengeHash)
        let isIncreasedRisk = try VersionCheck.isIncreasedRisk(
            claim.authenticatorVersion, model: claim.model, profile: settings.profile)
        let key = try key(attestedBy: assertion, of: claim, path: path)
        try CounterCheck.requireRegistrations(data.counters.registrations, profile: settings.profile)
        try KeyIDCheck.require(
            data.credential, model: claim.model, profile: settings.profile, isRegistered: isRegistered)
        let protection = try KeyAttestationCheck.finding(
            in: assertion, about: key, rule: addressed.offer.keyAttestation, reader: settings.attestationKeys)
        let credential = VerifiedRegistration.Credential(
            data: data, key: key, attestation: assertion.attestation.type,
            certificates: assertion.attestation.certificates,
            displayCharacteristics: entry.displayCharacteristics, isIncreasedRisk: isIncreasedRisk,
            assertion: position, protection: protection)
        return Judged(credential: credential, claim: claim)
    }

    /// Requires an authenticator that is known and that the request asked for.
    private func claim(
        of assertion: RegistrationAssertion, in entry: AuthenticatorRegistrationAssertion
    ) throws(RefusalReason) -> PolicyCheck.Claim {
        let data = assertion.keyRegistrationData
        try ExtensionCheck.require(entry.extensions)
        try ExtensionCheck.require(data.extensions)
        try ExtensionCheck.require(assertion.unsignedExtensions)
        let claim = PolicyCheck.Claim(
            model: try ModelCheck.model(of: data.credential.aaid, scheme: entry.scheme, among: settings.models),
            keyID: data.credential.keyID, authenticatorVersion: data.info.authenticatorVersion)
        try PolicyCheck.require(claim, in: addressed.offer.request.policy, where: PolicyCheck.admitsNewKey)
        return claim
    }

    /// Checks public key, signature algorithm and attestation; returns the new key.
    private func key(
        attestedBy assertion: RegistrationAssertion, of claim: PolicyCheck.Claim,
        path: Result<AttestationKey, CertificatePathError>
    ) throws(RefusalReason) -> VerificationKey {
        let data = assertion.keyRegistrationData
        let type = assertion.attestation.type
        let key = try PublicKeyCheck.key(of: data, attestation: type, model: claim.model, settings: settings)
        try PublicKeyCheck.requireDeclaredAlgorithm(
            data.info.signatureAlgorithm, attestation: type, model: claim.model)
        try AttestationCheck.requireType(type, of: claim, policy: addressed.offer.request.policy)
        try AttestationCheck.requireSignature(assertion, newKey: key, path: path)
        return key
    }
}

/// Check of a new KeyID: an allowed length, and new within its AAID over all users.
///
/// FIDO UAF Protocol 1.1, 3.4.6.5; a profile may ask for exactly 32 bytes where the range is wider.
enum KeyIDCheck {
    private static let strictByteCount = 32

    static func require(
        _ id: CredentialID, model: AuthenticatorModel, profile: VerificationProfile,
        isRegistered: (CredentialID) -> Bool
    ) throws(RefusalReason) {
        let isStrict = profile.requiresKeyIDOf32Bytes && !model.isSecondFactorRoaming
        let allowed = isStrict ? strictByteCount...strictByteCount : KeyID.specifiedByteCounts
        guard allowed.contains(id.keyID.octets.count) else { throw .keyIDLength }
        guard !isRegistered(id) else { throw .alreadyRegistered }
    }
}
