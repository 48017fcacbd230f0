import Synchronization

/// Choices that an input makes for a hostile server, byte by byte; an exhausted input chooses zero.
final class HostileChoices: Sendable {
    private let rest: Mutex<ArraySlice<UInt8>>

    init(_ input: [UInt8]) {
        rest = Mutex(input[...])
    }

    /// Whether the input is exhausted.
    var isUsedUp: Bool { rest.withLock { $0.isEmpty } }

    /// The next byte.
    func octet() -> UInt8 { rest.withLock { $0.popFirst() ?? 0 } }

    /// As many bytes as the next one says, or as are left.
    func octets() -> [UInt8] {
        rest.withLock { rest in
            let count = Int(rest.popFirst() ?? 0)
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
    }

    /// Arbitrary text; bytes that are not UTF-8 become replacement characters.
    func text() -> String { String(decoding: octets(), as: UTF8.self) }

    /// One of some values.
    func pick<Value>(_ values: [Value]) -> Value? {
        values.isEmpty ? nil : values[Int(octet()) % values.count]
    }
}
