/// A value that goes into a statement or comes out of a row.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    /// A number, or null for nil.
    package static func integer(optional value: Int64?) -> SQLValue { value.map(SQLValue.integer) ?? .null }

    /// Bytes, or null for nil.
    package static func blob(optional value: [UInt8]?) -> SQLValue { value.map(SQLValue.blob) ?? .null }

    /// Text, or null for nil.
    package static func text(optional value: String?) -> SQLValue { value.map(SQLValue.text) ?? .null }
}
