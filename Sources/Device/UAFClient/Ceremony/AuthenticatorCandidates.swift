import Authenticators
import UAF

/// Authenticators of this device as candidates for the policy of a request (FIDO UAF Protocol 1.1 sections 3.4.6.1 and
/// 3.5.7.1).
///
/// The user chooses one authenticator, so only the sets of a policy that ask for a single one can be satisfied.
struct AuthenticatorCandidates {
    let authenticators: [DeviceSnapshot.Model]
    let scope: ServerScope
    let username: UserName
    let facet: TrustedFacet

    /// The authenticators to show, in the order of the device; also those that cannot be used.
    func shown(kinds: [AuthenticatorKind]) -> [AAID] { models(kinds).map(\.aaid) }

    /// An authenticator that the policy accepts for a new key.
    struct Registrable: Hashable {
        let aaid: AAID
        /// Algorithms of the key that the matching criteria name; nil when they name none.
        let algorithms: [AuthenticationAlgorithm]?
    }

    /// The authenticators that the policy accepts for a new key and that hold none for the user yet.
    func registrable(
        under policy: Policy, kinds: [AuthenticatorKind], allowsClass2Sensors: Bool
    ) throws(CeremonyFailure) -> [Registrable] {
        let taken = scope.of(username).visibleKeys.map(\.id.aaid)
        let held = scope.under(facet).visibleKeys
        let usable = models(kinds).filter {
            $0.support.isUsable || (allowsClass2Sensors && $0.support.isUsableWithClass2Sensor)
        }
        let candidates = usable.map { model in
            var candidate = candidate(model, keys: held)
            candidate.canRegister = !taken.contains(model.aaid)
            return candidate
        }
        let evaluation = PolicyEvaluation(candidates: candidates, purpose: .registration)
        var accepted: [Registrable] = []
        for choice in try choices(of: evaluation, policy) {
            let candidate = candidates[choice.candidate]
            let attestation = choice.criteria.attestationType(for: candidate.characteristics)
            guard attestation == .basicSurrogate, !accepted.contains(where: { $0.aaid == candidate.aaid }) else {
                continue
            }
            accepted.append(
                Registrable(aaid: candidate.aaid, algorithms: choice.criteria.authenticationAlgorithms))
        }
        return accepted
    }

    /// The keys of the user that the policy accepts, one for each authenticator.
    func signing(
        under request: AuthenticationRequest, kinds: [AuthenticatorKind]
    ) throws(CeremonyFailure) -> [CredentialID] {
        let named = scope.pending(namedBy: request.policy, for: username, under: facet)
        let keys = scope.of(username).under(facet).keys.filter { $0.state == .registered || named.contains($0.id) }
        let candidates = models(kinds).filter(\.support.isUsableWithClass2Sensor).map { candidate($0, keys: keys) }
        let evaluation = PolicyEvaluation(
            candidates: candidates, purpose: .authentication(showing: request.transactions.map(\.contentType)))
        var accepted: [CredentialID] = []
        for choice in try choices(of: evaluation, request.policy) {
            let aaid = candidates[choice.candidate].aaid
            guard let keyID = evaluation.keyIDs(for: choice).first, !accepted.contains(where: { $0.aaid == aaid })
            else { continue }
            accepted.append(CredentialID(aaid: aaid, keyID: keyID))
        }
        return accepted
    }

    private func models(_ kinds: [AuthenticatorKind]) -> [DeviceSnapshot.Model] {
        authenticators.filter { model in model.aaid.kind.map(kinds.contains) ?? false }
    }

    private func candidate(_ model: DeviceSnapshot.Model, keys: [LocalCredential]) -> AuthenticatorCandidate {
        var candidate = AuthenticatorCandidate(
            aaid: model.aaid, characteristics: model.characteristics,
            keyIDs: keys.filter { $0.id.aaid == model.aaid }.map(\.id.keyID))
        candidate.displayContentType = .plainText
        return candidate
    }

    private func choices(
        of evaluation: PolicyEvaluation, _ policy: Policy
    ) throws(CeremonyFailure) -> [PolicyEvaluation.Selection] {
        do throws(MessageError) {
            return try evaluation.choices(for: policy).compactMap { $0.count == 1 ? $0.first : nil }
        } catch {
            throw .fido(error.clientErrorCode, cause: error)
        }
    }
}

extension AAID {
    /// The kind of authenticator that the model is in one of the profiles; nil for a model that none has.
    var kind: AuthenticatorKind? { DeviceProfile.allCases.lazy.compactMap { $0.kind(of: self) }.first }
}
