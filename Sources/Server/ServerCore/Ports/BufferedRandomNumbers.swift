import Synchronization

/// Random numbers that are fetched some dozen at a time: for what is to be spread or told apart, never for secrets.
///
/// The generator of the standard library asks the kernel for each number, and a request that is refused has some for its trace and for
/// the time after which its client may come back.
package final class BufferedRandomNumbers: RandomNumberGenerator, Sendable {
    /// Octets that are fetched at once; the system gives no more in one call.
    private static let byteCount = 256

    private let source: any RandomSource
    private let numbers = Mutex<[UInt64]>([])

    package init(_ source: any RandomSource = SystemRandomSource()) {
        self.source = source
    }

    package func next() -> UInt64 {
        numbers.withLock { numbers in
            if let number = numbers.popLast() { return number }
            let octets = source.bytes(count: Self.byteCount)
            numbers = stride(from: 8, to: octets.count, by: 8).map { Self.number(octets[$0..<$0 + 8]) }
            return Self.number(octets[..<8])
        }
    }

    private static func number(_ octets: ArraySlice<UInt8>) -> UInt64 {
        octets.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
