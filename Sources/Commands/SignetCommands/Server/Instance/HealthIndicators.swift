import ServerCore
import ServerHTTP

/// What the health of a server says of the things it stands on.
struct HealthIndicators {
    let services: ServerServices
    let log: LogQueue

    /// In the order of the answer.
    var all: [ServerHealth.Indicator] {
        let (services, log) = (services, log)
        return [
            .init(name: "database") { await Self.database(services) },
            .init(name: "keys") {
                guard services.maintenance.failure(of: "keys") == .wrongMasterKey else { return .up }
                return .down("the master key does not open the keys in the database")
            },
            .init(name: "clock") {
                guard let finding = services.maintenance.clockFinding else { return .up }
                return .warning(finding.text)
            },
            .init(name: "log") {
                log.isStuck ? .down("the reader of the log on standard error has stopped reading") : .up
            },
        ]
    }

    private static func database(_ services: ServerServices) async -> ServerHealth.Finding {
        if let trouble = services.maintenance.storageTrouble { return .down(trouble) }
        let answers = (try? await services.users.list(limit: 1)) != nil
        return answers ? .up : .down("the database does not answer")
    }
}
