extension Migration {
    /// Mark of the database, which is compared with the one beside it.
    ///
    /// `home` names the table itself where the database can (``SQLDialect/homeQuery``): a dump that is restored makes
    /// another one. A file has none.
    package static let databaseMark = Migration(
        33, "database-mark",
        [
            """
            CREATE TABLE \(DatabaseMark.table) (
                id BIGINT PRIMARY KEY,
                identity TEXT NOT NULL,
                served_until BIGINT NOT NULL,
                home BIGINT NOT NULL
            )
            """
        ])
}
