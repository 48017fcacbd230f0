package import TestSupport

extension SeededGenerator {
    /// Uniform number from 0 up to, and without, 1.
    package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
