import Octets
import Testing

@Suite("Comparison in constant time")
struct ConstantTimeEqualityTests {
    @Test("Equal bytes pass")
    func equal() throws {
        let bytes: [UInt8] = [0, 1, 2, 255]
        try ConstantTimeEquality.require(bytes, equals: Array(bytes[...]))
        try ConstantTimeEquality.require([], equals: [])
    }

    @Test("A difference in any single bit is found")
    func everyBit() {
        let bytes = [UInt8](repeating: 0xA5, count: 8)
        for bit in 0..<64 {
            var other = bytes
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: ConstantTimeEquality.Difference.self) {
                try ConstantTimeEquality.require(bytes, equals: other)
            }
        }
    }

    @Test("Different lengths are different, also when one starts with the other")
    func lengths() {
        #expect(throws: ConstantTimeEquality.Difference.self) {
            try ConstantTimeEquality.require([1, 2, 3], equals: [1, 2])
        }
        #expect(throws: ConstantTimeEquality.Difference.self) {
            try ConstantTimeEquality.require([], equals: [0])
        }
    }
}
