import Foundation
import OpenID
import ServerCore
import ServerPersistence
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Search of users, in SQLite and in PostgreSQL")
struct UserSearchTests {
    private struct Stage {
        let opened: OpenedDatabase
        let server: TestServer

        init(_ kind: StoredDatabase) async throws {
            opened = try kind.empty()
            server = try await TestServer(authenticators: [SyntheticAuthenticator()], store: .empty(opened.database))
        }

        func add(
            _ name: String, _ texts: [UserAttributes.Name: String] = [:], groups: [String] = []
        ) async throws {
            let user = try await server.services.users.add(name: name, externalID: "x-\(name)", mayBeAlike: true)
            var attributes = texts.mapValues { JSONValue.string($0) }
            attributes[.groups] = .array(groups.map { .string($0) })
            #expect(try await server.services.users.change(attributes, of: user) == nil)
        }

        /// Names of the users on each page of a search.
        func pages(
            _ text: String, _ kinds: Set<UserSearch.Kind> = Set(UserSearch.Kind.allCases), limit: Int = 100
        ) async throws -> [[String]] {
            let search = try #require(UserSearch(text, among: kinds))
            var (pages, place): ([[String]], UserSearch.Place?) = ([], nil)
            repeat {
                let page = try await server.storage.users.users(found: search, after: place, limit: limit)
                pages.append(page.users.map(\.name.text))
                place = try page.next.map { try #require(UserSearch.Place(text: $0.text)) }
                try #require(pages.count < 100)
            } while place != nil
            return pages
        }
    }

    @Test(
        "A value is found by its beginning in any case and spelling, and a user once",
        arguments: StoredDatabase.allCases)
    func finds(in kind: StoredDatabase) async throws {
        let stage = try await Stage(kind)
        try await stage.add(
            "Anna", [.email: "Anna@Example.com", .familyName: "Äschbacher"], groups: ["Staff", "staff", "stable"])
        try await stage.add("ben", [.name: "anna's brother", .email: "b@example.com"], groups: ["staff"])
        try await stage.add("dora")
        #expect(try await stage.pages("ANNA") == [["Anna", "ben"]])
        #expect(try await stage.pages("anna", [.email]) == [["Anna"]])
        #expect(try await stage.pages("a\u{308}sch") == [["Anna"]], "decomposed")
        #expect(try await stage.pages("ÄSCH", [.familyName]) == [["Anna"]])
        #expect(try await stage.pages("st", [.groups]) == [["Anna", "ben"]])
        #expect(try await stage.pages("x-d") == [["dora"]])
        for text in ["nna", "%", "_"] { #expect(try await stage.pages(text) == [[]]) }
        for limit in 1...4 {
            let pages = try await stage.pages("s", limit: limit)
            #expect(pages.flatMap(\.self) == ["Anna", "ben"] && pages.allSatisfy { $0.count <= limit })
            #expect(try await stage.pages("an", limit: limit).flatMap(\.self) == ["Anna", "ben"])
        }
        for text in ["", "a\u{0}", "\u{202E}a"] { #expect(UserSearch(text, among: [.email]) == nil) }
        for text in ["", ".", "a.b", "anna", "AAAAAAAAAAAAAAAAAAAAAA.\u{0}"] {
            #expect(UserSearch.Place(text: text) == nil)
        }
    }

    @Test("A page may end at a name from before the rule of names", arguments: StoredDatabase.allCases)
    func oldNames(in kind: StoredDatabase) async throws {
        let stage = try await Stage(kind)
        let old = User(
            id: UserID(from: SeededRandom(seed: 48)), name: try #require(UserName("ze\u{200B}d")),
            externalID: try #require(UserName("old")), createdAt: stage.server.clock.now())
        let event = AuditEvent(.userAdded, at: old.createdAt)
        try await stage.server.storage.users.add(old, mayBeAlike: true, password: nil, event: event)
        try await stage.add("ze\u{4E01}")
        #expect(try await stage.pages("ze", limit: 1).flatMap(\.self) == [old.name.text, "ze\u{4E01}"])
    }

    @Test(
        "After any additions, changes and removals the table has what a full computation gives",
        arguments: StoredDatabase.allCases)
    func keepsUp(with kind: StoredDatabase) async throws {
        let stage = try await Stage(kind)
        let (services, random) = (stage.server.services, SeededRandom(seed: 48))
        let persons = PersonService(
            OpenIDServer(services, transactions: stage.server.openID, settings: OpenIDSettings()))
        func number(_ count: Int) -> Int { Int(random.bytes(count: 1)[0]) % count }
        for step in 0..<80 {
            let name = "User\(number(6))"
            let known = try await stage.server.storage.users.user(named: try #require(UserName(name)))
            switch (number(8), known) {
            case (0, let user?): try await services.users.remove(named: user.name.text)
            case (1, let user?): _ = try await persons.erase(user.id, reason: "asked")
            case (2, _):
                _ = try await UserImport(services).run(
                    [
                        .init(
                            number: 1, name: try #require(UserName(name)), externalID: nil,
                            changes: Self.changes(random)),
                        // A bad line: nothing of the import is there.
                        .init(
                            number: 2, name: try #require(UserName("User\(number(6))")), externalID: nil,
                            changes: number(2) == 0 ? [.email: .string("none")] : [:]),
                    ], skipsBadLines: false)
            case (_, let user?): _ = try await services.users.change(Self.changes(random), of: user)
            case (_, nil): try await services.users.add(name: name, externalID: number(2) == 0 ? "X-\(step)" : nil)
            }
            let (present, computed) = try await Self.entries(on: stage.opened.database)
            try #require(present == computed, "step \(step)")
        }
    }

    private static func changes(_ random: SeededRandom) -> [UserAttributes.Name: JSONValue] {
        let bytes = random.bytes(count: 3).map(Int.init)
        let texts = ["Ann\(bytes[0] % 3)", "ANN\(bytes[0] % 3)", "Ä\(bytes[0] % 3)"]
        let text = texts[bytes[1] % 3]
        return switch bytes[2] % 6 {
        case 0: [.name: .string(text), .familyName: .string(text)]
        case 1: [.email: .string(text + "@Example.com"), .givenName: .null]
        case 2: [.email: .null, .givenName: .string(text)]
        case 3: [.groups: .array([.string(text), .string(text.lowercased()), .string("staff")])]
        case 4: [.groups: .null, .name: .null]
        default: [:]
        }
    }

    /// Rows of the table, and those that the accounts and their attributes ask for.
    private static func entries(
        on database: any SQLDatabase
    ) async throws -> (present: Set<[SQLValue]>, computed: Set<[SQLValue]>) {
        let (present, users) = try await database.read { connection throws(ServerPersistenceError) in
            (
                try connection.rows("SELECT kind, value, user_id FROM user_search", []),
                try connection.rows(
                    """
                    SELECT id, name, external_id, content FROM users
                    LEFT JOIN user_attributes ON user_attributes.user_id = users.id
                    """, [])
            )
        }
        var computed: Set<[SQLValue]> = []
        for user in users {
            guard case .text(let name) = user.values[1], case .text(let external) = user.values[2] else { continue }
            var values = [("username", name), ("external_id", external)]
            if case .text(let content) = user.values[3] {
                let members = try JSONParser.parse(Array(content.utf8), limits: .document).asObject()
                for kind in ["name", "given_name", "family_name", "email"] {
                    if let text = try members.optionalString(kind) { values.append((kind, text)) }
                }
                values += try members["groups"]?.asArray().map { ("groups", try $0.asString()) } ?? []
            }
            for (kind, value) in values {
                computed.insert([.text(kind), .text(ShownText.composed(value.lowercased())), user.values[0]])
            }
        }
        #expect(present.count == Set(present.map(\.values)).count)
        return (Set(present.map(\.values)), computed)
    }

    /// Number of users whose search is planned.
    private static let userCount =
        ProcessInfo.processInfo.environment["SIGNET_SEARCH_USERS"].flatMap { Int($0) } ?? 10_000

    @Test("Among many users a search asks the index, and sorts nothing", arguments: StoredDatabase.allCases)
    func plan(on kind: StoredDatabase) async throws {
        let opened = try await kind.migrated(at: Timestamp(seconds: 1_700_000_000))
        let planned = PlannedDatabase(opened.database)
        try await opened.database.transaction { connection throws(ServerPersistenceError) in
            for statement in Self.many {
                let blob = connection.dialect == .sqlite ? "BLOB" : "BYTEA"
                let arguments = statement.contains("$1") ? [SQLValue.integer(Int64(Self.userCount))] : []
                try connection.execute(statement.replacing("BYTEA", with: blob), arguments)
            }
            try connection.execute("ANALYZE", [])
        }
        let users = SQLStorage(on: planned, chainID: "test").ports.users
        for kinds in [Set(UserSearch.Kind.allCases), [.email]] {
            let search = try #require(UserSearch("Person109", among: kinds))
            let first = try await users.users(found: search, after: nil, limit: 10)
            let second = try await users.users(found: search, after: first.next, limit: 10)
            let found = first.users + second.users
            #expect(first.next != nil && second.next != nil && Set(found.map(\.id)).count == found.count)
            #expect(found.count >= 10 && found.allSatisfy { $0.name.text.hasPrefix("Person109") })
        }
        let statements = planned.statements.filter { $0.contains("FROM user_search") }
        #expect(statements.count == 2)
        let arguments: [SQLValue] = [.text("p"), .text("email"), .text("person109"), .blob([]), .integer(11)]
        for statement in statements {
            let plan = try await opened.database.read { connection throws(ServerPersistenceError) in
                let word = connection.dialect == .sqlite ? "QUERY PLAN " : "(COSTS OFF) "
                return try connection.rows("EXPLAIN " + word + statement, arguments)
            }
            let words = plan.map { "\($0)" }.joined(separator: "\n")
            #expect(!["SCAN ", "Seq Scan", "TEMP B-TREE", "Sort"].contains { words.contains($0) }, "\(words)")
        }
    }

    /// Users with addresses, all in one group.
    private static let many = [
        """
        WITH RECURSIVE numbers (number) AS (SELECT 100000 UNION ALL SELECT number + 1 FROM numbers WHERE number < 99999 + $1)
        INSERT INTO users (id, name, external_id, status, created_at)
        SELECT CAST('0123456789' || number AS BYTEA), 'Person' || number, 'x' || number, 'active', 1 FROM numbers
        """,
        "INSERT INTO user_search (kind, value, user_id) SELECT 'username', LOWER(name), id FROM users",
        "INSERT INTO user_search (kind, value, user_id) SELECT 'external_id', external_id, id FROM users",
        "INSERT INTO user_search (kind, value, user_id) SELECT 'email', LOWER(name) || '@example.com', id FROM users",
        "INSERT INTO user_search (kind, value, user_id) SELECT 'groups', 'people', id FROM users",
    ]
}
