import UAF

/// Addressee of an authentication request.
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
    /// It takes the same work for users with and without keys, and for users who do not exist, so that the time does
    /// not tell who has an account.
    func requestedPolicy(
        _ base: Policy, for target: AuthenticationTarget, needsDisplay: Bool, by composer: PolicyComposer
    ) throws(ServerError) -> Policy? {
        let now = ports.clock.now()
        guard case .user(let id, let credentials) = target, settings.uaf.hidesUnknownUsers else {
            return try authenticationPolicy(base, for: target, at: now, needsDisplay: needsDisplay, by: composer)
        }
        let decoy = try decoyKeys(base, user: id, needsDisplay: needsDisplay, by: composer)
        let keys = Self.keys(credentials, at: now)
        let own = keys.isEmpty ? nil : composer.authentication(base, keys: keys, needsDisplay: needsDisplay)
        return own ?? composer.authentication(base, keys: decoy, needsDisplay: needsDisplay)
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
        let decoy = try decoyKeys(base, user: id, needsDisplay: needsDisplay, by: composer)
        return composer.authentication(base, keys: decoy, needsDisplay: needsDisplay)
    }

    /// The keys that may sign at `time`.
    private static func keys(_ credentials: [RegisteredCredential], at time: Timestamp) -> [PolicyComposer.Key] {
        credentials
            .filter { $0.status == .active && $0.registeredAt <= time }
            .map { PolicyComposer.Key(id: $0.id, authenticatorVersion: $0.authenticatorVersion) }
    }

    /// The keys that a user without any is shown with.
    ///
    /// They are as many, and on such models, as users of this installation have whose keys the policy accepts. Where
    /// nobody has a key yet, it is one on any model that the policy accepts.
    private func decoyKeys(
        _ base: Policy, user: UserID, needsDisplay: Bool, by composer: PolicyComposer
    ) throws(ServerError) -> [PolicyComposer.Key] {
        let decoy = try decoy()
        func keys(_ models: [AAID]) -> [PolicyComposer.Key] {
            decoy.keys(of: user, on: models).map { PolicyComposer.Key(id: $0, authenticatorVersion: .max) }
        }
        func isAccepted(_ models: [AAID]) -> Bool {
            composer.authentication(base, keys: keys(models), needsDisplay: needsDisplay) != nil
        }
        let ranked = decoyProfiles.current.ranked(by: decoy.seed(of: user))
        if let profile = ranked.first(where: { isAccepted($0.models) }) { return keys(profile.models) }
        let candidates = composer.metadata.statements.map(\.aaid).filter { isAccepted([$0]) }
        guard !candidates.isEmpty else { return [] }
        return keys([candidates[decoy.choice(of: user, below: candidates.count)]])
    }
}

/// Service at which an authentication is asked for.
package enum AuthenticationEntry: Sendable, Hashable {
    /// The UAF request service: the answer may come over any connection.
    case service
    /// The login of the identity suite (`/auth/fidouaf`): the answer must bring the cookie set with the request.
    case login
}

/// Method by which a user authenticated, as the `amr` claim of a token names it (RFC 8176).
package enum AuthenticationMethod: String, Sendable, Hashable, CaseIterable {
    /// A FIDO UAF authenticator of this server.
    case fidoUAF = "fido-uaf"
    /// A password.
    case password = "pwd"
    /// A login at another system that vouches for the user by a token.
    case external = "ext"
}
