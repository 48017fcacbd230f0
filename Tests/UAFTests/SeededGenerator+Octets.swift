import TestSupport

extension SeededGenerator {
    mutating func octets(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }

    mutating func octets(_ counts: ClosedRange<Int>) -> [UInt8] {
        octets(Int.random(in: counts, using: &self))
    }
}
