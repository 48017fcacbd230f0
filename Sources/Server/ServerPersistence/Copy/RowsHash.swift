import ServerCore

/// Hash over rows in their order, the same on every database.
struct RowsHash: Sendable, Hashable {
    private(set) var count = 0
    private var hash = AuditHash(of: [UInt8]())

    var text: String { hash.octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    mutating func add(_ rows: [SQLRow]) {
        guard !rows.isEmpty else { return }
        var octets = hash.octets
        for value in rows.lazy.flatMap(\.values) { octets += Self.octets(of: value) }
        hash = AuditHash(of: octets)
        count += rows.count
    }

    /// Kind, length and content of a value, so that no two lists of values have the same octets.
    private static func octets(of value: SQLValue) -> [UInt8] {
        switch value {
        case .null: [0]
        case .integer(let number): [1] + withUnsafeBytes(of: number.bigEndian) { Array($0) }
        case .text(let text): [2] + framed(Array(text.utf8))
        case .blob(let bytes): [3] + framed(bytes)
        }
    }

    private static func framed(_ bytes: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { Array($0) } + bytes
    }
}
