/// Comparison whose duration says nothing about where two byte strings differ.
package enum ConstantTimeEquality {
    /// The two byte strings are not the same.
    package struct Difference: Error, Hashable, Sendable {}

    /// Throws ``Difference`` unless both hold the same bytes.
    ///
    /// The time taken depends on the lengths only; a length is no secret anywhere in this package.
    package static func require(_ one: [UInt8], equals other: [UInt8]) throws(Difference) {
        try require(one[...], equals: other[...])
    }

    package static func require(_ one: ArraySlice<UInt8>, equals other: ArraySlice<UInt8>) throws(Difference) {
        guard one.count == other.count else { throw Difference() }
        var difference: UInt8 = 0
        for (left, right) in zip(one, other) { difference |= left ^ right }
        guard difference == 0 else { throw Difference() }
    }

    package static func require(
        _ one: UnsafeRawBufferPointer, equals other: UnsafeRawBufferPointer
    ) throws(Difference) {
        guard one.count == other.count else { throw Difference() }
        var difference: UInt8 = 0
        for index in one.indices { difference |= unsafe one[index] ^ other[index] }
        guard difference == 0 else { throw Difference() }
    }
}
