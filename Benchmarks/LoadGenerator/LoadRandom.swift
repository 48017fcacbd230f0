/// Random numbers from a seed (SplitMix64), so that two runs of a benchmark have the same arrivals and users.
package struct LoadRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Sequence of a seed; each seed has another one.
    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Uniform number from 0 up to, and without, 1.
    package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
