import TestSupport

extension SeededGenerator {
    /// True once in so many times.
    mutating func oncePer(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
