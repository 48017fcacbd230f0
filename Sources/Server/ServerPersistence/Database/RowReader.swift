/// Reads the columns of one row in order and refuses what the schema does not promise.
struct RowReader {
    private let table: String
    private var rest: ArraySlice<SQLValue>

    init(_ row: SQLRow, table: String) {
        self.table = table
        rest = row.values[...]
    }

    var isNull: Bool { rest.first == .null }

    mutating func skip(_ count: Int) { rest = rest.dropFirst(count) }

    mutating func integer(_ column: String) throws(ServerPersistenceError) -> Int64 {
        guard case .integer(let value) = rest.popFirst() else { throw corrupt(column) }
        return value
    }

    mutating func optionalInteger(_ column: String) throws(ServerPersistenceError) -> Int64? {
        if case .null = rest.first {
            rest.removeFirst()
            return nil
        }
        return try integer(column)
    }

    mutating func text(_ column: String) throws(ServerPersistenceError) -> String {
        guard case .text(let value) = rest.popFirst() else { throw corrupt(column) }
        return value
    }

    mutating func optionalText(_ column: String) throws(ServerPersistenceError) -> String? {
        if case .null = rest.first {
            rest.removeFirst()
            return nil
        }
        return try text(column)
    }

    mutating func blob(_ column: String) throws(ServerPersistenceError) -> [UInt8] {
        guard case .blob(let value) = rest.popFirst() else { throw corrupt(column) }
        return value
    }

    mutating func optionalBlob(_ column: String) throws(ServerPersistenceError) -> [UInt8]? {
        if case .null = rest.first {
            rest.removeFirst()
            return nil
        }
        return try blob(column)
    }

    mutating func optionalText<Value>(
        _ column: String, as make: (String) -> Value?
    ) throws(ServerPersistenceError) -> Value? {
        guard let text = try optionalText(column) else { return nil }
        return try accepted(make(text), column)
    }

    mutating func optionalBlob<Value>(
        _ column: String, as make: ([UInt8]) -> Value?
    ) throws(ServerPersistenceError) -> Value? {
        guard let bytes = try optionalBlob(column) else { return nil }
        return try accepted(make(bytes), column)
    }

    /// The column turned into a domain value by `make`, which returns nil for what cannot be one.
    mutating func text<Value>(
        _ column: String, as make: (String) -> Value?
    ) throws(ServerPersistenceError) -> Value {
        try accepted(make(try text(column)), column)
    }

    mutating func blob<Value>(
        _ column: String, as make: ([UInt8]) -> Value?
    ) throws(ServerPersistenceError) -> Value {
        try accepted(make(try blob(column)), column)
    }

    mutating func integer<Value>(
        _ column: String, as make: (Int64) -> Value?
    ) throws(ServerPersistenceError) -> Value {
        try accepted(make(try integer(column)), column)
    }

    private func accepted<Value>(_ value: Value?, _ column: String) throws(ServerPersistenceError) -> Value {
        guard let value else { throw corrupt(column) }
        return value
    }

    private func corrupt(_ column: String) -> ServerPersistenceError { .corruptRow(table: table, column: column) }
}
