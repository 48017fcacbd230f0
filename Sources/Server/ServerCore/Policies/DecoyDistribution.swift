import Crypto
import Synchronization
package import UAF

/// Distribution of the sets of models that the users of an installation hold, from which decoys are drawn.
///
/// Each set has slots by how often it occurs, and a name belongs to the slot that wins its draw (rendezvous hashing):
/// when the shares change, only as many names move as the shares have changed.
package struct DecoyDistribution: Sendable, Hashable {
    /// Slots of all sets together, about.
    package static let slotCount = 256
    /// Sets that are distinguished; rarer ones do not occur among decoys.
    package static let profileLimit = 32

    /// The models of a user's keys, oldest first, and how often they occur together.
    package struct Profile: Sendable, Hashable {
        /// The models of the keys, one for each key, so a model may occur twice.
        package let models: [AAID]
        /// The share, of ``DecoyDistribution/slotCount``.
        package let slots: Int
        /// Number that stands for the models in a draw: the first bytes of the SHA-256 of ``text``.
        fileprivate let mark: UInt64

        package init(models: [AAID], slots: Int) {
            self.models = models
            self.slots = slots
            let hash = SHA256.hash(data: Array(Self.text(of: models).utf8))
            mark = hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }

        package var text: String { Self.text(of: models) }

        private static func text(of models: [AAID]) -> String { models.map(\.text).joined(separator: " ") }
    }

    /// The sets in the order of their texts; empty where no user has registered a key.
    package let profiles: [Profile]

    package init(_ profiles: [Profile] = []) {
        self.profiles = profiles.sorted { $0.text < $1.text }
    }

    package init(sampling users: [[AAID]]) {
        var counts: [[AAID]: Int] = [:]
        for models in users where !models.isEmpty { counts[models, default: 0] += 1 }
        let common = counts.sorted { $0.value > $1.value }.prefix(Self.profileLimit)
        let total = common.reduce(0) { $0 + $1.value }
        self.init(
            common.compactMap { models, count in
                let slots = (count * Self.slotCount + total / 2) / total
                return slots > 0 ? Profile(models: models, slots: slots) : nil
            })
    }

    /// The part of all names, 0 to 1, that would move if this distribution took the place of `other`, about.
    package func distance(to other: DecoyDistribution) -> Double {
        var difference: [[AAID]: Int] = [:]
        for profile in profiles { difference[profile.models, default: 0] += profile.slots }
        for profile in other.profiles { difference[profile.models, default: 0] -= profile.slots }
        return Double(difference.values.reduce(0) { $0 + abs($1) }) / Double(2 * Self.slotCount)
    }

    /// The set that a name draws, by its secret seed; nil where there is none.
    package func profile(drawnBy seed: UInt64) -> Profile? {
        var best: (index: Int, draw: UInt64)?
        for (index, profile) in profiles.enumerated() {
            let draw = Self.draw(profile, seed)
            if best.map({ draw > $0.draw }) ?? true { best = (index, draw) }
        }
        return best.map { profiles[$0.index] }
    }

    private static func draw(_ profile: Profile, _ seed: UInt64) -> UInt64 {
        (0..<UInt64(profile.slots)).reduce(0) { max($0, mixed(seed ^ mixed(profile.mark &+ $1))) }
    }

    /// The output function of SplitMix64.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Statistic of the keys of users as a whole, for decoys that look like them.
///
/// It holds no names and no keys: how often which models are held together is all that leaves the store.
package protocol DecoyStatistics: Sendable {
    /// The models of the active keys of some users, oldest first, one list for each; about `limit` keys together.
    func sample(limit: Int) async throws(ServerError) -> [[AAID]]

    /// The distribution that is kept, and when it was last found to be true; nil when none is.
    func distribution() async throws(ServerError) -> DecoyStatisticsRecord?

    /// Keeps a distribution in place of the one before, for all processes on the database.
    ///
    /// Of two that keep one at the same time the later wins; each has found it in the same users.
    func keep(_ distribution: DecoyDistribution, at now: Timestamp) async throws(ServerError)
}

/// A distribution as it is stored.
package struct DecoyStatisticsRecord: Sendable, Hashable {
    package let distribution: DecoyDistribution
    package let refreshedAt: Timestamp

    package init(_ distribution: DecoyDistribution, refreshedAt: Timestamp) {
        self.distribution = distribution
        self.refreshedAt = refreshedAt
    }
}
