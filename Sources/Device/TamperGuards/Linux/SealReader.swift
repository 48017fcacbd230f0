#if os(Linux)
    /// Reader of numbers and bytes that never goes beyond the end.
    struct SealReader {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
            guard count >= 0, count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        mutating func number16() -> UInt16? { number(2).map { UInt16(truncatingIfNeeded: $0) } }

        mutating func number32() -> UInt32? { number(4).map { UInt32(truncatingIfNeeded: $0) } }

        mutating func number64() -> UInt64? { number(8) }

        private mutating func number(_ count: Int) -> UInt64? {
            bytes(count)?.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
#endif
