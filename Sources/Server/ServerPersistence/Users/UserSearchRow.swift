import ServerCore

/// Rows of `user_search`: what users are found by.
enum UserSearchRow {
    private static func list(_ kinds: [UserSearch.Kind]) -> String {
        kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    }

    static func insert(
        _ entries: Set<UserSearch.Entry>, of user: UserID, _ connection: any SQLConnection
    ) throws(ServerPersistenceError) {
        try connection.enqueue(
            "INSERT INTO user_search (kind, value, user_id) VALUES ($1, $2, $3)",
            each: entries.map { [.text($0.kind.rawValue), .text($0.value), .blob(user.octets)] })
    }

    /// Deletes what attributes have added.
    static let deletionOfAttributes =
        "DELETE FROM user_search WHERE user_id = $1 AND kind IN (\(list(UserSearch.Kind.ofAttributes)))"

    /// A page of at most `limit` users, behind a place; the work does not grow with the number of users.
    static func page(
        _ search: UserSearch, after place: UserSearch.Place?, limit: Int, _ connection: any SQLConnection
    ) throws(ServerPersistenceError) -> UserSearch.Page {
        let kinds = UserSearch.Kind.allCases.filter(search.kinds.contains)
        let sql = selection(among: kinds)
        let (value, user) = (place?.value ?? search.prefix, place?.user.octets ?? [])
        let results = try connection.results(
            of: kinds.map { kind in
                SQLQuery(
                    sql,
                    [
                        .text(search.prefix), .text(kind.rawValue), .text(value), .blob(user),
                        .integer(Int64(limit + 1)),
                    ])
            })
        let found = try results.joined().map { row throws(ServerPersistenceError) in try Found(row) }
            .filter { search.holds($0.place) }.sorted()
        let shown = found.prefix(limit)
        return UserSearch.Page(
            users: shown.filter { !$0.isRepeated }.map(\.user), next: found.count > limit ? shown.last?.place : nil)
    }

    /// Finds values of one kind behind a place, and says for each in how many smaller ones of `kinds` the user is found, too.
    ///
    /// All values between the prefix and one that begins with it begin with it.
    private static func selection(among kinds: [UserSearch.Kind]) -> String {
        """
        SELECT (
                SELECT COUNT(*) FROM user_search AS earlier
                WHERE earlier.user_id = found.user_id AND earlier.value >= $1 AND earlier.kind IN (\(list(kinds)))
                    AND (earlier.value, earlier.kind) < (found.value, found.kind)
            ), found.value, \(UserRow.columns)
        FROM user_search AS found JOIN users ON users.id = found.user_id
        WHERE found.kind = $2 AND (found.value, found.user_id) > ($3, $4)
        ORDER BY found.value, found.user_id LIMIT $5
        """
    }

    /// Value that is found.
    private struct Found: Comparable {
        let place: UserSearch.Place
        let user: User
        /// Whether the user is found by a smaller value, too.
        let isRepeated: Bool

        init(_ row: SQLRow) throws(ServerPersistenceError) {
            var reader = RowReader(row, table: "user_search")
            isRepeated = try reader.integer("earlier") > 0
            let value = try reader.text("value")
            user = try UserRow.user(&reader)
            place = UserSearch.Place(value: value, user: user.id)
        }

        /// In the order of the database: values and users by their octets; the first mention of a user before others.
        static func < (left: Found, right: Found) -> Bool {
            let (mine, others) = (left.place, right.place)
            if !mine.value.utf8.elementsEqual(others.value.utf8) {
                return mine.value.utf8.lexicographicallyPrecedes(others.value.utf8)
            }
            if mine.user != others.user { return mine.user.octets.lexicographicallyPrecedes(others.user.octets) }
            return !left.isRepeated && right.isRepeated
        }

        static func == (left: Found, right: Found) -> Bool {
            left.place == right.place && left.isRepeated == right.isRepeated
        }
    }
}
