import BackendAPI
import Foundation
import Octets
import ServerCore
import ServerPersistence
import ServerPersistencePostgreSQL
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@testable import OpenID

@Suite("One person's data: export, and erasure that leaves the audit whole")
struct PersonServiceTests {
    /// Names that stand nowhere else.
    private static let name = "annabelle-xq"
    private static let externalID = "ext-annabelle-xq"
    private static let address = "198.51.100.77"

    /// A server on which `annabelle-xq` and `bert` have phones, sign-ins and waiting messages.
    private struct Stage {
        let server: TestServer
        let persons: PersonService
        let anna: User
        let bert: User

        init(_ store: TestServer.Store) async throws {
            let (phone, other) = (
                try SyntheticAuthenticator(), try SyntheticAuthenticator(aaid: try #require(AAID("FFFF#FC0D")))
            )
            server = try await TestServer(authenticators: [phone, other], store: store)
            persons = PersonService(
                OpenIDServer(server.services, transactions: server.openID, settings: OpenIDSettings()))
            anna = try await server.services.users.add(name: name, externalID: externalID)
            bert = try await server.services.users.add(name: "bert")
            try await server.register(phone, for: anna)
            try await server.register(other, for: bert)
            _ = try await server.authenticate(name, with: phone)
            _ = try await server.addTarget(of: anna, on: SyntheticDevice(), named: "Annabelle-xq's phone")
            _ = try await server.services.users.change(
                [.email: .string("annabelle-xq@example.com")], of: anna)
            try await server.services.users.endSessions(ofUserNamed: name)
            try await write()
        }

        /// Rows that name both people and have no ceremony here.
        private func write() async throws {
            let now = server.clock.now()
            let login = ClientLogin(client: try #require(ClientID("shop")), session: nil)
            var page = AuthorizationParameters(
                client: login.client, redirect: try #require(RedirectAddress("https://shop.example.com/")),
                codeChallenge: nil)
            page.loginHint = name
            let session = AuthorizationSession(
                id: AuthorizationSessionID(from: server.random), browser: BrowserHash(of: [1]), parameters: page,
                createdAt: now, expiresAt: now + .seconds(600))
            let (anna, bert) = (anna, bert)
            let passkey = try Passkey(
                of: anna.id, named: try #require(DeviceName("Annabelle-xq's laptop")), at: now, random: server.random)
            var event = AuditEvent(.sessionEnded, at: now, client: ClientContext(address: address)).about(anna)
            event.reason = "test"
            let record = event
            try await server.openID.transaction { transaction throws(ServerTransactionFailure) in
                try transaction.insert(session)
                for user in [anna, bert] {
                    try transaction.insert(OutgoingMessage(endOf: login, of: user.externalID, at: now))
                }
                _ = try transaction.insert(passkey)
                try transaction.append(record)
                try transaction.append(
                    AuditEvent(.clientGrantEnded, at: now, userID: anna.id, client: ClientContext(address: address)))
            }
        }

        /// Everything that stands in the tables, as the database writes it.
        func tables() async throws -> String {
            let tables = StoredTable.allCases.map(\.rawValue)
            let rows = try await server.database.read { connection throws(ServerPersistenceError) in
                var rows: [SQLRow] = []
                for table in tables { rows += try connection.rows("SELECT * FROM \(table)", []) }
                return rows
            }
            return rows.flatMap(\.values).map { value in
                switch value {
                case .text(let text): text
                case .blob(let octets): String(decoding: octets, as: UTF8.self)
                case .integer, .null: ""
                }
            }.joined(separator: "\n")
        }
    }

    private static func isNamed(in text: String) -> Bool {
        text.lowercased().contains("annabelle") || text.contains(address)
    }

    @Test(
        "After an erasure no table names the person, the chain holds, and others are whole",
        arguments: StoredDatabase.allCases)
    func erasure(storage: StoredDatabase) async throws {
        let opened = try storage.empty()
        let stage = try await Stage(.empty(opened.database))
        let before = try await stage.server.services.audit.verify()
        #expect(before.isUnchanged)
        #expect(Self.isNamed(in: try await stage.tables()))
        #expect(try await stage.persons.erase(stage.anna.id, reason: "as asked on paper") == .done(isComplete: true))
        #expect(!Self.isNamed(in: try await stage.tables()))
        let after = try await stage.server.services.audit.verify()
        #expect(after.isUnchanged)
        #expect(after.intactRecords["main"] == before.intactRecords["main"].map { $0 + 1 })
        let records = try await stage.server.storage.audit.opened(
            stage.server.storage.audit.records(of: "main", after: 0, limit: 1_000).map { try AuditEntry($0) })
        let erased = records.filter { $0.userID == stage.anna.id }
        #expect(erased.count > 5 && erased.allSatisfy { $0.event["erased"] == .bool(true) && $0["username"] == nil })
        #expect(erased.last?.kind == "ADMIN_PERSON_ERASED" && erased.last?["reason"] == "as asked on paper")
        #expect(records.filter { $0["username"] == "bert" }.count > 1)
        #expect(
            try await stage.server.openID.read { snapshot throws(ServerTransactionFailure) in
                try snapshot.messages(.waiting, limit: 10).count
            } == 1, "the one about bert")
        await #expect(throws: ServerError.userUnknown) {
            _ = try await stage.persons.erase(stage.anna.id, reason: "again")
        }
        let left = try await stage.persons.export(stage.anna.id)
        #expect(left.erasedAt != nil && left.user == nil && !left.audit.isEmpty)
    }

    @Test("Recovery codes are counted in an export, never shown, and go with the person")
    func recoveryCodes() async throws {
        let stage = try await Stage(.memory)
        let (id, now, hash) = (stage.anna.id, stage.server.clock.now(), RecoveryCodeHash(of: [1]))
        let recovery = Recovery(
            userID: id, cookie: RecoveryCookieHash(of: [2]), code: nil, begunAt: now, opensAt: now, expiresAt: now,
            holdsSince: now)
        try await stage.server.openID.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.setRecoveryCodes([hash], of: id, at: now)
            try transaction.set(recovery)
        }
        let json = try await stage.persons.export(id).json
        let account = try JSONParser.parse(json, limits: .document).asObject().required("account") {
            value throws(JSONTypeError) in try value.asObject()
        }
        #expect(account["recoveryCodes"] == .integer(1) && account["recoveryBegunAt"] == .string(now.iso8601))
        #expect(!String(decoding: json, as: UTF8.self).contains(Base64URL.encode(hash.octets)))
        #expect(try await stage.persons.erase(id, reason: "as asked") == .done(isComplete: true))
        let left = try await stage.server.openID.read { snapshot throws(ServerTransactionFailure) in
            (try snapshot.recoveryCodes(of: id)?.count, try snapshot.recovery(of: id))
        }
        #expect(left.0 == nil && left.1 == nil)
    }

    @Test("No page of the file, and none of its log, has a name of an erased person, while another process reads")
    func files() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/signet.sqlite"
        let stage = try await Stage(.file(path))
        for number in 0..<200 { try await stage.server.services.users.add(name: "annabelle-xq-\(number)-x") }
        for number in 0..<200 { try await stage.server.services.users.remove(named: "annabelle-xq-\(number)-x") }
        for id in try await stage.persons.people(named: Self.name) {
            #expect(try await stage.persons.erase(id, reason: "gone") == .done(isComplete: true))
        }
        for end in ["", "-wal"] {
            let octets = (try? Data(contentsOf: URL(filePath: path + end))) ?? Data()
            #expect(end == "-wal" || octets.count > 10_000)
            for name in [Self.name, Self.externalID, Self.address, "Annabelle"] {
                #expect(octets.range(of: Data(name.utf8)) == nil, "\(name) in \(end)")
            }
        }
    }

    @Test("A dump of PostgreSQL has no name of an erased person")
    func dump() async throws {
        let opened = try StoredDatabase.postgreSQL.empty()
        let stage = try await Stage(.empty(opened.database))
        let settings = try #require(opened.settings)
        let before = try Self.dump(settings.database)
        #expect(Self.isNamed(in: before) && before.contains(Hex.encode(Array(Self.name.utf8))))
        _ = try await stage.persons.erase(stage.anna.id, reason: "gone")
        let after = try Self.dump(settings.database)
        #expect(after.count > 10_000 && !Self.isNamed(in: after))
        for name in [Self.name, Self.externalID, Self.address] {
            #expect(!after.contains(Hex.encode(Array(name.utf8))), "\(name) in octets")
        }
    }

    private static func dump(_ database: String) throws -> String {
        let cluster = try PostgresCluster.ofProcess.get()
        let output = Pipe()
        let dump = Process()
        dump.executableURL = URL(filePath: PostgresCluster.programs + "/pg_dump")
        dump.arguments = ["-h", cluster.folder, "-p", String(cluster.port), "-U", "signet", database]
        dump.standardOutput = output
        try dump.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        dump.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }

    @Test("A person is found by name, external id and identifier, also after the removal; a reason must not name them")
    func finding() async throws {
        let stage = try await Stage(.memory)
        for removes in [false, true] {
            if removes { try await stage.server.services.users.remove(named: Self.name) }
            for text in [Self.name, Self.externalID, stage.anna.id.text] {
                #expect(try await stage.persons.people(named: text) == [stage.anna.id], "\(text)")
            }
        }
        let again = try await stage.server.services.users.add(name: Self.name)
        try await stage.server.services.users.remove(named: Self.name)
        #expect(try await Set(stage.persons.people(named: Self.name)) == [stage.anna.id, again.id])
        await #expect(throws: ServerError.userUnknown) { _ = try await stage.persons.people(named: "eve") }
        for reason in ["Annabelle-XQ has asked", "(annabelle xq)", "by ext-annabelle-xq."] {
            #expect(try await stage.persons.erase(stage.anna.id, reason: reason) == .reasonNamesPerson)
        }
        #expect(try await stage.persons.erase(stage.anna.id, reason: "annabelle has asked") == .done(isComplete: true))
    }

    @Test("The export has every part of the person and nothing of another; the person gets no operator's name or words")
    func export() async throws {
        let stage = try await Stage(.memory)
        let record = try await stage.persons.export(stage.anna.id)
        let json = try JSONParser.parse(record.json, limits: .document).asObject()
        #expect(json["userId"] == .string(stage.anna.id.text))
        let account = try #require(try json["account"]?.asObject())
        #expect(account["name"] == .string(Self.name) && account["attributes"] != nil)
        for part in ["devices", "credentials", "audit"] {
            #expect(try json[part]?.asArray().isEmpty == false, "\(part)")
        }
        let text = String(decoding: record.json, as: UTF8.self)
        #expect(text.contains(Self.address) && text.contains("annabelle-xq@example.com"))
        #expect(!text.contains("bert") && !text.contains(stage.bert.id.text))
        #expect(record.parts.map(\.name) == PersonRecord.Part.Name.allCases)
        let own = try await stage.persons.export(stage.anna.id, isForPerson: true)
        #expect(own.audit.count == record.audit.count)
        #expect(own.audit.allSatisfy { $0["actor"] == nil && $0["note"] == nil })
        #expect(own.audit.filter { $0.kind.hasPrefix("ADMIN_") }.allSatisfy { $0["reason"] == nil })
        await #expect(throws: ServerError.userUnknown) {
            _ = try await stage.persons.export(UserID(from: SeededRandom(seed: 9)))
        }
    }
}
