import UAF

/// Verification of the assertions of one authentication response.
struct AuthenticationVerifier {
    private let addressed: AddressedAuthentication
    private let models: ModelCatalog
    private let profile: VerificationProfile
    private let registered: [StoredCredential]

    init(addressed: AddressedAuthentication, settings: RelyingPartySettings, registered: [StoredCredential]) {
        self.addressed = addressed
        models = settings.models
        profile = settings.profile
        self.registered = registered
    }

    /// Judges each assertion; the ones that stand must fill an accepted set, all with keys of one user.
    func outcome() throws(RelyingPartyError) -> VerifiedAuthentication {
        var standing: [Judged] = []
        var skipped: [RelyingPartyError] = []
        for position in addressed.received.assertions.indices {
            do throws(RefusalReason) {
                let judged = try verify(position)
                // One key cannot stand for two authenticators, nor keys of two users for one.
                let isNew = !standing.contains { $0.use.id == judged.use.id }
                if isNew, standing.first.map({ $0.account == judged.account }) ?? true { standing.append(judged) }
            } catch {
                skipped.append(
                    RelyingPartyError(error, operation: .authentication, stage: .judging, assertion: position))
            }
        }
        return try verified(standing, skipped: skipped)
    }

    /// Requires a complete accepted set; an incomplete one is refused for the first assertion that was skipped.
    private func verified(
        _ standing: [Judged], skipped: [RelyingPartyError]
    ) throws(RelyingPartyError) -> VerifiedAuthentication {
        do throws(RefusalReason) {
            let chosen = try SetCheck.filled(addressed.offer.request.policy, by: standing.indices) {
                PolicyCheck.satisfies($0, standing[$1].claim)
            }
            guard let first = chosen.first else { throw .incompleteSet }
            return VerifiedAuthentication(
                account: standing[first].account, challenge: addressed.offer.request.challenge,
                uses: chosen.map { standing[$0].use }, confirmedTransaction: standing[first].confirmedTransaction,
                skipped: skipped)
        } catch {
            throw skipped.first ?? RelyingPartyError(error, operation: .authentication, stage: .judging)
        }
    }

    // MARK: - One assertion

    /// An assertion that stands.
    private struct Judged {
        let use: VerifiedAuthentication.Use
        let account: AccountReference
        let claim: PolicyCheck.Claim
        let confirmedTransaction: [UInt8]?
    }

    private func verify(_ position: Int) throws(RefusalReason) -> Judged {
        let assertion = try addressed.received.assertions[position].get()
        let claim = try claim(of: assertion, in: addressed.received.response.assertions[position])
        let credential = try CredentialCheck.credential(
            of: assertion.signedData.credential, for: addressed.offer, among: registered)
        try PolicyCheck.requireAccepted(claim, in: addressed.offer.request.policy) {
            PolicyCheck.admits(claim.keyID, $0)
        }
        let isIncreasedRisk = try VersionCheck.isIncreasedRisk(
            claim.authenticatorVersion, model: claim.model, profile: profile)
        guard assertion.signedData.info.signatureAlgorithm == credential.key.algorithm else { throw .algorithmMismatch }
        let transaction = try confirmed(assertion, with: credential)
        let use = VerifiedAuthentication.Use(
            registration: credential.registration, previousSignCounter: credential.signCounter,
            data: assertion.signedData,
            isIncreasedRisk: isIncreasedRisk, assertion: position)
        return Judged(use: use, account: credential.account, claim: claim, confirmedTransaction: transaction)
    }

    /// Requires an authenticator that is known and that the request asked for.
    private func claim(
        of assertion: AuthenticationAssertion, in entry: AuthenticatorSignAssertion
    ) throws(RefusalReason) -> PolicyCheck.Claim {
        try ExtensionCheck.require(entry.extensions)
        try ExtensionCheck.require(assertion.signedData.extensions)
        try ExtensionCheck.require(assertion.unsignedExtensions)
        let claim = PolicyCheck.Claim(
            model: try ModelCheck.model(
                of: assertion.signedData.credential.aaid, scheme: entry.scheme, among: models),
            keyID: assertion.signedData.credential.keyID,
            authenticatorVersion: assertion.signedData.info.authenticatorVersion)
        // Which keys the request names is judged after the key is known to be the user's.
        try PolicyCheck.require(claim, in: addressed.offer.request.policy) { _ in true }
        return claim
    }

    /// Checks signature counter, final challenge hash, transaction and signature; returns the hash of the confirmed
    /// transaction.
    ///
    /// A counter that does not grow is refused in any case, but only a good assertion with such a counter proves that
    /// a second holder of the key exists.
    private func confirmed(
        _ assertion: AuthenticationAssertion, with credential: StoredCredential
    ) throws(RefusalReason) -> [UInt8]? {
        guard CounterCheck.grows(from: credential.signCounter, to: assertion.signedData.signCounter) else {
            do throws(RefusalReason) {
                _ = try signed(assertion, with: credential)
            } catch {
                throw .signCounter(suspectsClone: nil)
            }
            throw .signCounter(suspectsClone: credential.registration)
        }
        return try signed(assertion, with: credential)
    }

    private func signed(
        _ assertion: AuthenticationAssertion, with credential: StoredCredential
    ) throws(RefusalReason) -> [UInt8]? {
        try FinalChallengeHashCheck.require(
            assertion.signedData.finalChallengeHashOctets, equals: addressed.received.challengeHash)
        let transaction = try TransactionConfirmationCheck.confirmed(
            assertion.signedData, among: addressed.offer.transactionHashes)
        try SignatureCheck.require(assertion, key: credential.key)
        return transaction
    }
}

/// Check of the credential that signed: registered for the user who was asked, with this model.
///
/// FIDO UAF Protocol 1.1, 3.5.7.5.
enum CredentialCheck {
    /// The stored credential; credentials that are newer than the request are as good as absent.
    static func credential(
        of claimed: CredentialID, for offer: AuthenticationOffer, among registered: [StoredCredential]
    ) throws(RefusalReason) -> StoredCredential {
        // Of several that are not it, the one that comes closest says why.
        var (isForeign, isOtherModels) = (false, false)
        for position in registered.indices
        where registered[position].id.keyID == claimed.keyID && registered[position].registeredAt <= offer.issuedAt {
            guard offer.account == nil || registered[position].account == offer.account else {
                isForeign = true
                continue
            }
            guard registered[position].id.aaid == claimed.aaid else {
                isOtherModels = true
                continue
            }
            guard registered[position].status == .active else { throw .disabledCredential }
            return registered[position]
        }
        if isOtherModels { throw .otherModelsKey }
        if isForeign { throw .foreignKey }
        throw .unknownKey
    }
}

/// Check of the signature: the stored key has signed the signed data as received.
///
/// FIDO UAF Protocol 1.1, 3.5.7.5.
enum SignatureCheck {
    static func require(_ assertion: AuthenticationAssertion, key: VerificationKey) throws(RefusalReason) {
        do throws(SignatureRefusal) {
            try key.requireSignature(assertion.signatureOctets, over: assertion.signedData.element.octets)
        } catch {
            throw .signature(error)
        }
    }
}
