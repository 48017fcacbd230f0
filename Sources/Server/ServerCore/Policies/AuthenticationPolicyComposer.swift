import UAF

/// Composer of the policies of authentication requests, for users with and without keys alike.
final class AuthenticationPolicyComposer: Sendable {
    private let settings: UAFSettings
    private let keys: KeyService
    private let profiles: DecoyProfiles
    private let clock: any WallClock

    init(settings: UAFSettings, keys: KeyService, profiles: DecoyProfiles, clock: any WallClock) {
        self.settings = settings
        self.keys = keys
        self.profiles = profiles
        self.clock = clock
    }

    /// The policy to send to a target; nil when the user has no key for it and that may show.
    ///
    /// It takes the same work for users with and without keys, and for users who do not exist, so that the time does
    /// not tell who has an account.
    func requestedPolicy(
        _ base: Policy, for target: AuthenticationTarget, needsDisplay: Bool, by composer: PolicyComposer
    ) throws(ServerError) -> Policy? {
        let now = clock.now()
        guard case .user(let id, let credentials) = target, settings.hidesUnknownUsers else {
            return try sentPolicy(base, for: target, at: now, needsDisplay: needsDisplay, by: composer)
        }
        let decoy = try decoyKeys(base, user: id, needsDisplay: needsDisplay, by: composer)
        let keys = Self.keys(credentials, at: now)
        let own = keys.isEmpty ? nil : composer.authentication(base, keys: keys, needsDisplay: needsDisplay)
        return own ?? composer.authentication(base, keys: decoy, needsDisplay: needsDisplay)
    }

    /// The policy that was sent at `time`; nil when the user has no key for it and that may show.
    func sentPolicy(
        _ base: Policy, for target: AuthenticationTarget, at time: Timestamp, needsDisplay: Bool,
        by composer: PolicyComposer
    ) throws(ServerError) -> Policy? {
        guard case .user(let id, let credentials) = target else {
            return composer.authenticationOfAnyone(base, needsDisplay: needsDisplay)
        }
        let keys = Self.keys(credentials, at: time)
        if let policy = composer.authentication(base, keys: keys, needsDisplay: needsDisplay) { return policy }
        guard settings.hidesUnknownUsers else { return nil }
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
        let decoy = try self.keys.decoy()
        func keys(_ models: [AAID]) -> [PolicyComposer.Key] {
            decoy.keys(of: user, on: models).map { PolicyComposer.Key(id: $0, authenticatorVersion: .max) }
        }
        func isAccepted(_ models: [AAID]) -> Bool {
            composer.authentication(base, keys: keys(models), needsDisplay: needsDisplay) != nil
        }
        let ranked = profiles.current.ranked(by: decoy.seed(of: user))
        if let profile = ranked.first(where: { isAccepted($0.models) }) { return keys(profile.models) }
        let candidates = composer.metadata.statements.map(\.aaid).filter { isAccepted([$0]) }
        guard !candidates.isEmpty else { return [] }
        return keys([candidates[decoy.choice(of: user, below: candidates.count)]])
    }
}
