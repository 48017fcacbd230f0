import ServerCore
import Synchronization

/// Deterministic pseudorandom bytes (SplitMix64) for tests; never for anything else.
package final class SeededRandom: RandomSource {
    private let state: Mutex<UInt64>

    /// Generator with a seed.
    package init(seed: UInt64 = 1) {
        state = Mutex(seed)
    }

    package func bytes(count: Int) -> [UInt8] {
        state.withLock { state in (0..<count).map { _ in Self.next(&state) } }
    }

    private static func next(_ state: inout UInt64) -> UInt8 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return UInt8(truncatingIfNeeded: mixed ^ (mixed >> 31))
    }
}
