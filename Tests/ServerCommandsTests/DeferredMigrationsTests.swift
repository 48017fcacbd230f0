import Logging
import ServerCore
import ServerPersistence
import TestSupport
import Testing

@testable import ServerCommands

@Suite("Deferred steps of a running server")
struct DeferredMigrationsTests {
    private let migrator = Migrator([
        Migration(1, "marks", ["CREATE TABLE marks (mark BIGINT PRIMARY KEY, label TEXT NOT NULL)"]),
        Migration(2, "marks-by-label", deferredIndex: "marks_by_label", on: "marks (label)"),
    ])

    @Test("The doctor has a note of what is left, a warning while it fails, and nothing when it is done")
    func findings() async throws {
        let opened = try StoredDatabase.sqlite.empty()
        let database = FaultyDatabase(opened.database)
        try await Migrator([Migration(1, "marks", ["CREATE TABLE marks (mark BIGINT, label TEXT)"])])
            .migrate(database, at: Timestamp(seconds: 1_700_000_000))
        let migrations = DeferredMigrations(of: database, by: migrator, logger: Logger(label: "test")) { true }
        let left = "step 2 (marks-by-label)"
        #expect(
            await migrations.finding.look()
                == [.note(.migrations, "still to be built while the server serves: \(left)")])
        database.set { $0.statementsLeft = 0 }
        await migrations.round()
        let failed = try #require(await migrations.finding.look().first)
        #expect(failed.severity == .warning && failed.text.hasPrefix("\(left): the database cannot be"), "\(failed)")
        database.set { $0.statementsLeft = nil }
        await migrations.round()
        #expect(await migrations.finding.look().isEmpty)
    }
}
