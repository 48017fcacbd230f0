import ServerCore
import Synchronization
import UAF

/// Composer of the policies of authentication requests, for users with and without keys alike.
final class AuthenticationPolicyComposer: Sendable {
    /// Policy of the configuration, with the hash of its text.
    struct Base {
        let policy: Policy
        let hash: PolicyHash
    }

    private let settings: UAFSettings
    private let keys: KeyService
    private let profiles: DecoyProfiles
    private let clock: any WallClock
    private let choices = Mutex<[DecoyChoices.Key: DecoyChoices]>([:])

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
        _ base: Base, for target: AuthenticationTarget, needsDisplay: Bool, by composer: PolicyComposer
    ) throws(ServerError) -> Policy? {
        let now = clock.now()
        guard case .user(let id, let credentials) = target, settings.hidesUnknownUsers else {
            return try sentPolicy(base, for: target, at: now, needsDisplay: needsDisplay, by: composer)
        }
        let decoy = try decoyKeys(base, user: id, needsDisplay: needsDisplay, by: composer)
        let keys = Self.keys(credentials, at: now)
        let own = keys.isEmpty ? nil : composer.authentication(base.policy, keys: keys, needsDisplay: needsDisplay)
        return own ?? composer.authentication(base.policy, keys: decoy, needsDisplay: needsDisplay)
    }

    /// The policy that was sent at `time`; nil when the user has no key for it and that may show.
    func sentPolicy(
        _ base: Base, for target: AuthenticationTarget, at time: Timestamp, needsDisplay: Bool,
        by composer: PolicyComposer
    ) throws(ServerError) -> Policy? {
        guard case .user(let id, let credentials) = target else {
            return composer.authenticationOfAnyone(base.policy, needsDisplay: needsDisplay)
        }
        let keys = Self.keys(credentials, at: time)
        if let policy = composer.authentication(base.policy, keys: keys, needsDisplay: needsDisplay) { return policy }
        guard settings.hidesUnknownUsers else { return nil }
        let decoy = try decoyKeys(base, user: id, needsDisplay: needsDisplay, by: composer)
        return composer.authentication(base.policy, keys: decoy, needsDisplay: needsDisplay)
    }

    private static func keys(_ credentials: [RegisteredCredential], at time: Timestamp) -> [PolicyComposer.Key] {
        var keys: [PolicyComposer.Key] = []
        keys.reserveCapacity(credentials.count)
        for credential in credentials where credential.status == .active && credential.registeredAt <= time {
            keys.append(PolicyComposer.Key(id: credential.id, authenticatorVersion: credential.authenticatorVersion))
        }
        return keys
    }

    /// The keys that a user without any is shown with.
    ///
    /// They are as many, and on such models, as users of this installation have whose keys the policy accepts. Where no
    /// user has a key yet, it is one on any model that the policy accepts.
    private func decoyKeys(
        _ base: Base, user: UserID, needsDisplay: Bool, by composer: PolicyComposer
    ) throws(ServerError) -> [PolicyComposer.Key] {
        let decoy = try self.keys.decoy()
        func keys(_ models: [AAID]) -> [PolicyComposer.Key] {
            decoy.keys(of: user, on: models).map { PolicyComposer.Key(id: $0, authenticatorVersion: .max) }
        }
        let (distribution, generation) = profiles.current
        let key = DecoyChoices.Key(
            acceptance: composer.identity, policy: base.hash, needsDisplay: needsDisplay, generation: generation)
        let choices = choices(key) {
            DecoyChoices(of: distribution, among: composer.metadata.statements.map(\.aaid)) { models in
                composer.authentication(base.policy, keys: keys(models), needsDisplay: needsDisplay) != nil
            }
        }
        if let profile = choices.profiles.profile(drawnBy: decoy.seed(of: user)) { return keys(profile.models) }
        guard !choices.models.isEmpty else { return [] }
        return keys([choices.models[decoy.choice(of: user, below: choices.models.count)]])
    }

    /// The choices under a key; worked out by `make` the first time.
    private func choices(_ key: DecoyChoices.Key, _ make: () -> DecoyChoices) -> DecoyChoices {
        if let known = choices.withLock({ $0[key] }) { return known }
        let new = make()
        choices.withLock { known in
            if known.count >= DecoyChoices.limit { known = [:] }
            known[key] = new
        }
        return new
    }
}
