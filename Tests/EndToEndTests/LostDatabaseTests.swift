import CommandSupport
import DemoCommands
import Foundation
import TestSupport
import Testing

/// A server whose PostgreSQL stops while it serves, and comes back.
@Suite("A server whose database server is away", .serialized)
struct LostDatabaseTests {
    private static let patience = Duration.seconds(300)

    private let cluster: PostgresCluster
    private let installation: Installation

    init() throws {
        cluster = try PostgresCluster()
        let name = cluster.freshName()
        try cluster.createDatabase(name)
        installation = try Installation(
            settings: """
                database: { driver: postgresql, host: \(cluster.folder), port: \(cluster.port), name: \(name), user: signet }

                """)
    }

    private func untilHealth(is status: Int) async throws {
        let clock = ContinuousClock()
        let end = clock.now + Self.patience
        while try await installation.server.health().status != status, clock.now < end {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(try await installation.server.health().status == status)
    }

    /// Waits until the log of a server says that the database works again.
    private static func recovery(of server: ChildProcess) async throws {
        let clock = ContinuousClock()
        let end = clock.now + patience
        while !server.complaints.contains(#""message":"the database works again""#), clock.now < end {
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(server.complaints.contains(#""message":"the database works again""#))
    }

    @Test("Phone, command and log say that it is the database, the log once; with it everything goes on")
    func lost() async throws {
        let server = try await installation.server.start()
        defer { server.kill() }
        let (phone, registration) = try await installation.registered("anna")
        #expect(registration.isDone, "\(registration.message)")
        #expect(try await installation.authenticate(phone, "anna").isDone)

        try cluster.stop()
        try await untilHealth(is: 503)
        for _ in 1...3 {
            let refused = try await installation.authenticate(phone, "anna")
            #expect(
                !refused.isDone && refused.message.contains("The server cannot do this at the moment."),
                "\(refused.message)")
        }
        let listed = try await installation.server.administer("users list")
        #expect(!listed.isDone && listed.message.contains("signet-server doctor"), "\(listed.message)")
        #expect(!listed.message.contains("too many"))
        let told = server.complaints.split(separator: "\n").filter { $0.contains(#""message":"the database fails""#) }
        #expect((1...2).contains(told.count) && Set(told.map { $0.drop { $0 != "m" } }).count == told.count, "\(told)")
        #expect(told.allSatisfy { !$0.contains("DatabaseServerFailure") && $0.contains("database") })

        try cluster.start()
        try await untilHealth(is: 200)
        #expect(try await installation.authenticate(phone, "anna").isDone)
        try await Self.recovery(of: server)
    }
}
