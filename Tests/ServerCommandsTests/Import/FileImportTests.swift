import BackendAPI
import Octets
import OpenID
import ServerAdministration
import ServerCore
import ServerPersistence
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@Suite("An import takes over what another server has, and nothing twice")
struct FileImportTests {
    @Test("A user, a phone and its key are taken over, and the key signs in")
    func wholePhone() async throws {
        let stage = try await ImportStage()
        let report = try await stage.imported([
            ImportStage.user(
                "jeff", ["extId": .string("jeff-1"), "attributes": .object(["email": .string("jeff@example.com")])]),
            stage.deviceLine(of: "jeff-1"),
            stage.credentialLine(of: "jeff", on: "AAAAAAAAAAAAAAAAAAAAAA"),
        ])
        #expect(report.badLines.isEmpty && report.progress.counts == [.users: 1, .devices: 1, .credentials: 1])
        #expect(try await stage.server.authenticate("jeff", with: stage.phone).message.statusCode == .ok)
        #expect(
            try await stage.rows("name, hex(id)", of: "dispatch_targets")
                == [SQLRow([.text("phone AAAAAAAAAAAAAAAAAAAAAA"), .text(String(repeating: "0", count: 32))])])
    }

    @Test("A phone whose identifier has another form gets one of this server, always the same")
    func foreignIdentifier() async throws {
        let stage = try await ImportStage()
        let lines = [
            ImportStage.user("jeff"), try stage.deviceLine(of: "jeff", id: "dt-4711"),
            try stage.credentialLine(of: "jeff", on: "dt-4711"),
        ]
        let first = try await stage.imported(lines)
        let again = try await stage.imported(lines, id: "other")
        #expect(first.progress.counts == [.users: 1, .devices: 1, .credentials: 1])
        #expect(again.progress.counts == [.present: 3] && again.badLines.isEmpty)
    }

    @Test("A finished import is not begun again: nothing is written, and the report is the one of then")
    func repeated() async throws {
        let stage = try await ImportStage()
        let lines = [ImportStage.user("jeff"), try stage.credentialLine(of: "jeff")]
        let first = try await stage.imported(lines)
        let (counts, audit) = (try await stage.counts(), try await stage.server.auditTexts())
        let again = try await stage.imported(lines)
        #expect(!first.wasEnded && again.wasEnded && again.progress == first.progress)
        #expect(try await stage.counts() == counts)
        #expect(try await stage.server.auditTexts() == audit)
    }

    @Test("The audit has one record for each batch: what was imported, from which file and lines, why, and by whom")
    func audit() async throws {
        let stage = try await ImportStage()
        let act = AdministrativeAct(
            .account(AuditActor(userID: 0, login: "root", sudoUser: nil)), as: .operator, because: "we move over",
            client: ClientContext())
        try await AdministrativeAct.$current.withValue(act) {
            _ = try await stage.imported((1...7).map { ImportStage.user("user \($0)") })
        }
        let records = try await stage.server.auditTexts().filter { $0.contains("ADMIN_IMPORTED") }
        #expect(records.count == 3)
        let last = try #require(records.last)
        #expect(last.contains(#"{"setting":"lines","from":7,"to":7}"#) && last.contains(#"{"setting":"users","to":1}"#))
        #expect(last.contains(#""to":"signet-jsonl""#) && last.contains("we move over") && last.contains("root"))
    }

    // MARK: - Bad lines

    @Test("What is here with another content is a conflict that the report names by line, and stays as it is")
    func conflicts() async throws {
        let stage = try await ImportStage()
        let (other, device) = (try SyntheticAuthenticator(), "AAAAAAAAAAAAAAAAAAAAAA")
        _ = try await stage.imported([
            ImportStage.user("jeff", ["groups": .array([.string("staff")])]), ImportStage.user("anna"),
            stage.deviceLine(of: "jeff", id: device), stage.credentialLine(of: "jeff", on: device),
        ])
        let counts = try await stage.counts()
        let report = try await stage.imported(
            [
                ImportStage.user("jeff", ["groups": .array([.string("boss")])]),
                ImportStage.user("kim", ["extId": .string("anna")]),
                stage.deviceLine(of: "anna", id: device),
                stage.credentialLine(of: "jeff", key: other.key.publicKey(other.format)),
                stage.credentialLine(of: "anna"),
                stage.credentialLine(of: "anna", on: device, other),
                stage.credentialLine(of: "absent"),
                stage.credentialLine(of: "jeff", on: device),
            ], id: "second")
        #expect(
            report.badLines.map(\.number) == [1, 2, 3, 4, 5, 6, 7] && report.progress.counts == [.bad: 7, .present: 1])
        #expect(report.badLines.last?.reason == "there is no such user: users stand before what belongs to them")
        var expected = counts
        expected["imports"] = 2
        #expect(try await stage.counts() == expected)
        #expect(try await stage.server.authenticate("jeff", with: stage.phone).message.statusCode == .ok)
    }

    @Test(
        "A key that is none, of an unknown model, or of another algorithm than the model has, is refused before it is stored"
    )
    func badKeys() async throws {
        let stage = try await ImportStage()
        let own = try stage.phone.key.publicKey(.eccX962DER)
        let unknown = try SyntheticAuthenticator(aaid: try #require(AAID("FFFF#FC0D")))
        let raw = try SyntheticAuthenticator(algorithm: .secp256r1ECDSASHA256Raw, format: .eccX962Raw)
        let report = try await stage.imported([
            ImportStage.user("jeff"),
            stage.credentialLine(of: "jeff", key: own.dropLast() + [own[own.count - 1] ^ 1]),
            stage.credentialLine(of: "jeff", key: Array(own.dropLast())),
            stage.credentialLine(of: "jeff", unknown),
            stage.credentialLine(of: "jeff", raw),
            stage.credentialLine(of: "jeff"),
        ])
        #expect(
            report.badLines.map(\.reason) == [
                "publicKey is no key of its format and algorithm", "publicKey is no key of its format and algorithm",
                "there is no metadata for the aaid (fido-uaf.metadata)",
                "the metadata of the aaid has other algorithms and key formats",
            ])
        #expect(report.progress.counts == [.users: 1, .credentials: 1, .bad: 4])
    }

    @Test(
        "A hostile line is refused, told by its number, and the lines beside it are imported",
        arguments: [
            #"{"type":"user","name":"jeff","name":"jim"}"#, #"{"type":"user","name":"je"#, #"[]"#, #"{"type":"admin"}"#,
            #"{"type":"user"}"#, #"{"type":"user","name":" "}"#, #"{"type":"user","name":"jeff","role":"admin"}"#,
            #"{"type":"user","name":"jeff","state":"disabled"}"#, #"{"type":"user","name":7}"#,
            #"{"type":"user","name":"jeff","attributes":{"admin":true}}"#,
            #"{"type":"user","name":"jeff","createdAt":"yesterday"}"#,
            #"{"type":"device","user":"before","id":"d","name":"d","appId":"https://other.example/","signingKey":{}}"#,
            #"{"type":"device","user":"before","id":"d","name":"d","signingKey":{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}}"#,
        ])
    func hostileLine(line: String) async throws {
        let stage = try await ImportStage()
        let lines = [#"{"type":"user","name":"before"}"#, "", line, #"{"type":"user","name":"after"}"#]
        let report = try await stage.importing(.texts(lines)).run()
        #expect(report.badLines.map(\.number) == [3] && report.progress.counts == [.users: 2, .bad: 1])
    }

    @Test("A line of ten megabytes and one that is not UTF-8 are bad lines; the next one is imported")
    func longLine() async throws {
        let stage = try await ImportStage()
        let user = Array(#"{"type":"user","name":"jeff"}"#.utf8)
        let source = FileImport.Source(id: "file", kind: "signet-jsonl") { () throws(ImportFault) in
            JSONLinesReader(MemoryLines([nil, Array(user.dropLast(2)) + [0xFF, 0x22, 0x7D], user]))
        }
        let report = try await stage.importing(source).run()
        #expect(report.badLines.map(\.number) == [1, 2] && report.progress.counts == [.users: 1, .bad: 2])
    }

    // MARK: - Trial, interruption

    @Test("A trial reports what an import would do over all batches, and writes nothing")
    func trial() async throws {
        let stage = try await ImportStage()
        let lines = (1...5).map { ImportStage.user("user \($0)") } + [try stage.credentialLine(of: "user 1"), [:]]
        let before = try await stage.server.auditTexts()
        let trial = try await stage.importing(.lines(lines)).rehearse()
        #expect(trial.progress.counts == [.users: 5, .credentials: 1, .bad: 1] && trial.badLines.map(\.number) == [7])
        #expect(try await stage.counts().isEmpty)
        #expect(try await stage.server.auditTexts() == before)
        let report = try await stage.importing(.lines(lines)).run()
        #expect(report.progress.counts == trial.progress.counts && report.badLines == trial.badLines)
    }

    @Test(
        "An import whose database fails at any statement goes on behind the last whole batch, and ends with exactly the rows"
    )
    func interruption() async throws {
        let (whole, broken) = (try await ImportStage(), try await ImportStage())
        let lines = (1...20).map { ImportStage.user("user \($0)", ["extId": .string("id \($0)")]) }
        _ = try await whole.imported(lines)
        var failures = 0
        for statements in stride(from: 5, to: 2_000, by: 11) {
            broken.server.database.set { $0.statementsLeft = statements }
            let report = try? await broken.imported(lines)
            broken.server.database.set { $0.statementsLeft = nil }
            if report != nil { break }
            failures += 1
        }
        #expect(failures >= 3)
        let (counts, users) = (try await whole.counts(), try await whole.rows("external_id, name", of: "users"))
        #expect(try await broken.counts() == counts)
        #expect(try await broken.rows("external_id, name", of: "users") == users)
        let records = try await broken.server.auditTexts().count { $0.contains("ADMIN_IMPORTED") }
        #expect(records == 7)
    }

    @Test("Of two imports of one file that run at once the later one writes nothing, and says why")
    func twoAtOnce() async throws {
        let stage = try await ImportStage()
        let lines = (1...6).map { ImportStage.user("user \($0)", ["extId": .string("id \($0)")]) }
        let second = try await ImportStage(beside: stage)
        // Behind the first batch, and before the second is written.
        let overtaken = FileImport(.lines(lines), into: stage.sites, batchSize: 3) { _ in
            stage.server.database.set { faults in
                faults.beforeTransaction = { _ = try? await second.imported(lines + [ImportStage.user("late")]) }
            }
        }
        await #expect(throws: FileImport.Failure.busy) { try await overtaken.run() }
        let names = try await stage.rows("name", of: "users")
        #expect(names.count == 7)
        #expect(
            try await stage.rows("ended_at IS NOT NULL, entries", of: "imports") == [
                SQLRow([.integer(1), .integer(7)])
            ])
    }

    // MARK: - Web sites

    @Test(
        "A web site is taken over with its secret; one without gets a note, and another one of its name is a conflict")
    func clients() async throws {
        let stage = try await ImportStage()
        func client(_ id: String, _ more: JSONObject = [:]) -> JSONObject {
            JSONObject(
                distinct: [
                    .init("type", .string("client")), .init("id", .string(id)), .init("name", .string(id)),
                    .init("proof", .string("secret")),
                    .init("redirectAddresses", .array([.string("https://\(id).example.com/back")])),
                ] + more.members)
        }
        let report = try await stage.imported([
            client("shop", ["secret": .string("a-secret-of-sixteen-octets")]), client("blog"), client("shop"),
            client("blog", ["refresh": .bool(true)]), client("wild", ["redirectAddresses": .array([.string("*")])]),
        ])
        #expect(
            report.progress.counts == [.clients: 2, .present: 1, .bad: 2] && report.badLines.map(\.number) == [4, 5])
        #expect(
            report.notes.map(\.number) == [2] && report.notes[0].reason.contains("signet-server client reset-secret"))
        let clients = try await stage.server.openID.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.clients().map(\.client)
        }
        #expect(
            clients.first { $0.id.text == "shop" }?.authentication
                == .secret(ClientSecretHash(of: "a-secret-of-sixteen-octets".utf8)))
    }
}
