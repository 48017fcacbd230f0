import HTTPTypes
import Hummingbird
import ServerCore

/// The trace that a request belongs to (W3C Trace Context, `traceparent`).
package struct TraceContext: Hashable, Sendable {
    /// 32 lower-case hexadecimal digits, not all zero.
    package let traceID: String

    /// Reads a `traceparent` header of version 00; anything else is no trace.
    package init?(traceparent: String) {
        let parts = traceparent.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 4, parts.map(\.count) == [2, 32, 16, 2], parts[0].elementsEqual("00".utf8) else {
            return nil
        }
        let isHex = parts.allSatisfy { $0.allSatisfy(Self.isLowerHex) }
        let hasIDs = parts[1...2].allSatisfy { $0.contains { $0 != UInt8(ascii: "0") } }
        guard isHex, hasIDs else { return nil }
        traceID = String(decoding: parts[1], as: UTF8.self)
    }

    package init(random: inout some RandomNumberGenerator) {
        // One bit is given away, so that it is never all zero.
        let words: [UInt64] = [random.next(), random.next() | 1]
        let digits = Array("0123456789abcdef".utf8)
        traceID = String(unsafeUninitializedCapacity: 32) { text in
            for position in 0..<32 {
                let word = words[position / 16] >> (60 - 4 * UInt64(position % 16))
                text[position] = digits[Int(word & 0xF)]
            }
            return 32
        }
    }

    private static func isLowerHex(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

extension TraceContext {
    /// The trace that the client of a request names, or a new one.
    init(of request: Request, random: BufferedRandomNumbers) {
        let header = request.headers.first { $0.name.canonicalName == "traceparent" }?.value
        if let given = header.flatMap({ TraceContext(traceparent: $0) }) {
            self = given
        } else {
            var random = random
            self = TraceContext(random: &random)
        }
    }
}
