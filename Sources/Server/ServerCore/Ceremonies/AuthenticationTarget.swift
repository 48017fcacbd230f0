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
    /// The policy to send to a target; nil when the user has no key for it and that may show.
    ///
    /// It takes the same work for users with and without keys, and for users who do not exist (assurance SRV-10).
    func requestedPolicy(
        _ base: Policy, for target: AuthenticationTarget, needsDisplay: Bool, by composer: PolicyComposer
    ) throws(ServerError) -> Policy? {
        let now = ports.clock.now()
        guard case .user(let id, let credentials) = target, settings.uaf.hidesUnknownUsers else {
            return try authenticationPolicy(base, for: target, at: now, needsDisplay: needsDisplay, by: composer)
        }
        let decoy = try decoyKey(base, user: id, needsDisplay: needsDisplay, by: composer)
        let keys = Self.keys(credentials, at: now)
        let own = keys.isEmpty ? nil : composer.authentication(base, keys: keys, needsDisplay: needsDisplay)
        return own ?? decoy.flatMap { composer.authentication(base, keys: [$0], needsDisplay: needsDisplay) }
    }

    /// The policy that was sent at `time`; nil when the user has no key for it and that may show.
    func authenticationPolicy(
        _ base: Policy, for target: AuthenticationTarget, at time: Timestamp, needsDisplay: Bool,
        by composer: PolicyComposer
    ) throws(ServerError) -> Policy? {
        guard case .user(let id, let credentials) = target else {
            return composer.authenticationOfAnyone(base, needsDisplay: needsDisplay)
        }
        let keys = Self.keys(credentials, at: time)
        if let policy = composer.authentication(base, keys: keys, needsDisplay: needsDisplay) { return policy }
        guard settings.uaf.hidesUnknownUsers else { return nil }
        return try decoyKey(base, user: id, needsDisplay: needsDisplay, by: composer)
            .flatMap { composer.authentication(base, keys: [$0], needsDisplay: needsDisplay) }
    }

    /// The keys that may sign at `time`.
    private static func keys(_ credentials: [RegisteredCredential], at time: Timestamp) -> [PolicyComposer.Key] {
        credentials
            .filter { $0.status == .active && $0.registeredAt <= time }
            .map { PolicyComposer.Key(id: $0.id, authenticatorVersion: $0.authenticatorVersion) }
    }

    /// The only key of a user who has none, on a model that the policy accepts.
    private func decoyKey(
        _ base: Policy, user: UserID, needsDisplay: Bool, by composer: PolicyComposer
    ) throws(ServerError) -> PolicyComposer.Key? {
        let decoy = try decoy()
        let candidates = composer.metadata.statements.map(\.aaid).compactMap { decoy.key(of: user, models: [$0]) }
            .map { PolicyComposer.Key(id: $0, authenticatorVersion: .max) }
            .filter { composer.authentication(base, keys: [$0], needsDisplay: needsDisplay) != nil }
        return decoy.key(of: user, models: candidates.map(\.id.aaid))
            .map { PolicyComposer.Key(id: $0, authenticatorVersion: .max) }
    }
}
