import CPostgreSQL
import ServerPersistence

/// Arguments of a statement as libpq takes them: numbers and texts as text, whose type the server finds out, and bytes
/// as they are.
struct PostgreSQLArguments {
    private var octets: [UInt8] = []
    private var places: [Int?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    /// Takes the values; throws ``ServerPersistenceError/statement(code:)`` for a text with a NUL, which PostgreSQL has
    /// none of.
    init(_ values: [SQLValue]) throws(ServerPersistenceError) {
        for value in values {
            switch value {
            case .null: append(nil, isBinary: false)
            case .integer(let number): append(Array(String(number).utf8) + [0], isBinary: false)
            case .text(let text):
                let bytes = Array(text.utf8)
                guard !bytes.contains(0) else { throw .statement(code: PostgreSQLFailure.code("22021")) }
                append(bytes + [0], isBinary: false)
            case .blob(let bytes): append(bytes, isBinary: true)
            }
        }
    }

    private mutating func append(_ bytes: [UInt8]?, isBinary: Bool) {
        places.append(bytes.map { _ in octets.count })
        lengths.append(Int32(clamping: bytes?.count ?? 0))
        formats.append(isBinary ? 1 : 0)
        octets += bytes ?? []
    }

    /// Sends a prepared statement with these arguments; false when the connection takes nothing more.
    func send(_ connection: OpaquePointer, _ name: String) -> Bool {
        // One octet more, so that the address of an empty value at the end is one.
        (octets + [0]).withUnsafeBytes { bytes in
            let values = places.map { place in
                place.flatMap { bytes.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
            }
            return PQsendQueryPrepared(connection, name, Int32(values.count), values, lengths, formats, 1) == 1
        }
    }
}

extension SQLRow {
    /// The row of a result at a place; throws ``ServerPersistenceError/statement(code:)`` for a type that no column of the
    /// schema has.
    init(_ row: Int32, of result: OpaquePointer) throws(ServerPersistenceError) {
        var values: [SQLValue] = []
        let count = PQnfields(result)
        values.reserveCapacity(Int(count))
        for column in 0..<count { values.append(try SQLValue(column, row, of: result)) }
        self.init(values)
    }
}

extension SQLValue {
    /// Value of a column of a row, in the binary form of its type.
    init(_ column: Int32, _ row: Int32, of result: OpaquePointer) throws(ServerPersistenceError) {
        guard PQgetisnull(result, row, column) == 0, let start = PQgetvalue(result, row, column) else {
            self = .null
            return
        }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, column)))
        switch PQftype(result, column) {
        case 17: self = .blob([UInt8](bytes))
        case 20: self = .integer(Self.number(bytes, of: Int64.self))
        case 23: self = .integer(Int64(Self.number(bytes, of: Int32.self)))
        case 21: self = .integer(Int64(Self.number(bytes, of: Int16.self)))
        // void, of functions that are called for what they do
        case 2_278: self = .null
        case 16: self = .integer(bytes.first == 1 ? 1 : 0)
        // text, varchar, name and unknown
        case 25, 1_043, 19, 705: self = .text(String(decoding: bytes, as: UTF8.self))
        default: throw .statement(code: PostgreSQLFailure.code("42804"))
        }
    }

    /// A number, most significant octet first.
    private static func number<Number: FixedWidthInteger>(
        _ bytes: UnsafeRawBufferPointer, of type: Number.Type
    ) -> Number {
        bytes.reduce(0) { ($0 << 8) | Number(truncatingIfNeeded: $1) }
    }
}
