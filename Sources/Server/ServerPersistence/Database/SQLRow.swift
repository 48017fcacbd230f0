/// One row of a result; columns are numbered from 0 in the order of the query.
package struct SQLRow: Sendable, Hashable {
    /// The values of the columns.
    package let values: [SQLValue]

    /// A row of values.
    package init(_ values: [SQLValue]) {
        self.values = values
    }
}
