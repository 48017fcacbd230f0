import Crypto
package import UAF

/// Distribution of the sets of models that the users of an installation hold, from which decoys are drawn.
///
/// Each set has slots by how often it occurs, and a name belongs to the slot that wins a draw of its own (rendezvous
/// hashing): when the shares change, only as many names move as the shares have changed.
package struct DecoyDistribution: Sendable, Hashable {
    /// Slots of all sets together, about.
    package static let slotCount = 256
    /// Sets that are told apart; rarer ones do not occur among decoys.
    package static let profileLimit = 32

    /// The models of a user's keys, oldest first, and how often they occur together.
    package struct Profile: Sendable, Hashable {
        /// The models; one that occurs twice is that of two keys.
        package let models: [AAID]
        /// The share, of ``DecoyDistribution/slotCount``.
        package let slots: Int

        /// Gives a set its share.
        package init(models: [AAID], slots: Int) {
            self.models = models
            self.slots = slots
        }

        /// The models as one text.
        package var text: String { models.map(\.text).joined(separator: " ") }
    }

    /// The sets in the order of their texts; empty where nobody has registered a key.
    package let profiles: [Profile]

    /// Takes what was stored.
    package init(_ profiles: [Profile] = []) {
        self.profiles = profiles.sorted { $0.text < $1.text }
    }

    /// Counts the sets of some users.
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

    /// The sets in the order in which a name takes them; `seed` is the name's, and secret.
    func ranked(by seed: UInt64) -> [Profile] {
        profiles.map { ($0, Self.draw($0, seed)) }.sorted { $0.1 > $1.1 }.map { $0.0 }
    }

    /// The best draw of the set's slots.
    private static func draw(_ profile: Profile, _ seed: UInt64) -> UInt64 {
        let own = SHA256.hash(data: Array(profile.text.utf8)).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return (0..<UInt64(profile.slots)).reduce(0) { max($0, mixed(seed ^ mixed(own &+ $1))) }
    }

    /// The output function of SplitMix64.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
