import Logging
import ServerCore
import ServerHTTP
import Testing

@testable import ServerCommands

@Suite("Health of the database and of the audit")
struct HealthIndicatorTests {
    /// Finding after writes without trouble, when a look at the database ends with this error.
    private func finding(_ error: ServerError?) async -> ServerHealth.Finding {
        await HealthIndicators.database(trouble: nil) { () async throws(ServerError) in
            if let error { throw error }
        }
    }

    @Test("A database that answers is up, and one that has too much to do as well")
    func works() async {
        #expect(await finding(nil) == .up)
        #expect(await finding(.overloaded(retryAfter: .seconds(1))) == .up)
    }

    @Test("A database that does not answer is down, and so is one whose writes fail")
    func broken() async {
        #expect(await finding(.storageUnavailable) == .down("the database does not answer"))
        let full = await HealthIndicators.database(trouble: "the disk is full") { () async throws(ServerError) in }
        #expect(full == .down("the disk is full"))
    }

    @Test("A damaged record of the audit is a warning that names it (SA-19)")
    func audit() {
        let damage = AuditDamage(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        #expect(HealthIndicators.audit(damage) == .up)
        for _ in 1...2 { damage.note("main at record 3: missing") }
        damage.note("main at records 5 to 7: missing")
        #expect(
            HealthIndicators.audit(damage)
                == .warning("the audit was changed or is damaged: main at record 3: missing and 1 more"))
    }
}
