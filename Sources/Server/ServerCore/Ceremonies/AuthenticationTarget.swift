import UAF

/// Who is to answer an authentication request.
enum AuthenticationTarget: Hashable {
    /// Whoever holds a registered key.
    case anyone
    /// One user with all credentials of the account; a decoy has none.
    case user(UserID, [RegisteredCredential])

    var userID: UserID? {
        guard case .user(let id, _) = self else { return nil }
        return id
    }
}

extension CeremonyContext {
    /// The policy to send, or that was sent at `time`; nil when the user has no key for it and that may show.
    func authenticationPolicy(
        _ base: Policy, for target: AuthenticationTarget, at time: Timestamp, needsDisplay: Bool,
        by composer: PolicyComposer
    ) throws(ServerError) -> Policy? {
        guard case .user(let id, let credentials) = target else {
            return composer.authenticationOfAnyone(base, needsDisplay: needsDisplay)
        }
        let keys =
            credentials
            .filter { $0.status == .active && $0.registeredAt <= time }
            .map { PolicyComposer.Key(id: $0.id, authenticatorVersion: $0.authenticatorVersion) }
        if let policy = composer.authentication(base, keys: keys, needsDisplay: needsDisplay) { return policy }
        guard settings.uaf.hidesUnknownUsers else { return nil }
        return try decoyPolicy(base, user: id, needsDisplay: needsDisplay, by: composer)
    }

    /// A policy as for a user with one key, on a model that the policy accepts.
    private func decoyPolicy(
        _ base: Policy, user: UserID, needsDisplay: Bool, by composer: PolicyComposer
    ) throws(ServerError) -> Policy? {
        let decoy = try decoy()
        let candidates = composer.metadata.statements.map(\.aaid).compactMap { decoy.key(of: user, models: [$0]) }
            .map { PolicyComposer.Key(id: $0, authenticatorVersion: .max) }
            .filter { composer.authentication(base, keys: [$0], needsDisplay: needsDisplay) != nil }
        guard let key = decoy.key(of: user, models: candidates.map(\.id.aaid)) else { return nil }
        return composer.authentication(
            base, keys: [PolicyComposer.Key(id: key, authenticatorVersion: .max)], needsDisplay: needsDisplay)
    }
}
