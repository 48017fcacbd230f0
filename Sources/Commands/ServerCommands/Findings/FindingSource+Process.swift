import CommandSupport
import FoundationEssentials
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import UAFService

extension FindingSource {
    static func database(_ services: ServerServices) -> FindingSource {
        FindingSource(.database) {
            await database(trouble: services.maintenance.storageTrouble) { () async throws(ServerError) in
                _ = try await services.users.list(limit: 1)
            }
        }
    }

    /// Findings about the database: the trouble that writes have had, and what becomes of a `look` at it.
    ///
    /// An overloaded database still works. Load balancers that took its servers for broken would send all of the load
    /// to the remaining ones.
    static func database(
        trouble: String?, _ look: () async throws(ServerError) -> Void
    ) async -> [ServerFinding] {
        if let trouble { return [.down(.database, trouble)] }
        do throws(ServerError) {
            try await look()
            return []
        } catch {
            if case .overloaded = error { return [] }
            return [.down(.database, "the database does not answer")]
        }
    }

    /// The key that the server has in memory, and the file from which the next start reads it.
    static func keys(_ services: ServerServices, file: String) -> FindingSource {
        FindingSource(.keys) {
            guard services.maintenance.failure(of: "keys") != .wrongMasterKey else {
                return [.down(.keys, "the master key does not open the keys in the database")]
            }
            guard let mode = PosixFiles().permissions(of: file) else {
                return [.warning(.keys, "\(file) is gone or cannot be read: the next start fails")]
            }
            guard mode & 0o077 != 0 else { return [] }
            return [.warning(.keys, "\(file) can be read by others: the next start fails")]
        }
    }

    static func clock(_ maintenance: MaintenanceService) -> FindingSource {
        FindingSource(.clock) { (maintenance.clockFinding?.text).map { [.warning(.clock, $0)] } ?? [] }
    }

    /// Certificates that end, and those that clients refuse: a server whose certificate has ended works, and is no better
    /// replaced by another one.
    static func certificates(
        _ deployment: Deployment, _ terms: @escaping @Sendable () -> [ServedCertificateTerm]
    ) -> FindingSource {
        FindingSource(.certificates) {
            let faults = ConfigurationReview.certificateWarnings(deployment) { !$0.isOfTime }
            return (certificates(terms(), at: .now) + faults).map { .warning(.certificates, $0) }
        }
    }

    static func certificates(_ terms: [ServedCertificateTerm], at now: Date) -> [String] {
        terms.compactMap { $0.warning(at: now) }
    }

    /// Damage of the audit: a server whose audit was changed works, and no other one would be better.
    static func audit(_ damage: AuditDamage) -> FindingSource {
        FindingSource(.audit) { damage.text.map { [.warning(.audit, $0)] } ?? [] }
    }

    static func processes(_ maintenance: MaintenanceService) -> FindingSource {
        FindingSource(.processes) { [.note(.processes, processes(maintenance))] }
    }

    /// Number of processes that share the database, and the one of them that does the work for all, in words.
    private static func processes(_ maintenance: MaintenanceService) -> String {
        let others = maintenance.otherProcesses
        let lead = maintenance.isLeading ? "this one leads the maintenance" : "another one leads the maintenance"
        guard !others.isEmpty else {
            return "1 on this database" + (maintenance.isLeading ? "" : "; no maintenance so far")
        }
        return "\(others.count + 1) on this database; \(lead); the others: \(others.joined(separator: ", "))"
    }

    static func log(_ log: LogQueue) -> FindingSource {
        FindingSource(.log) {
            log.isStuck ? [.down(.log, "the reader of the log on standard error has stopped reading")] : []
        }
    }

    /// Mistakes of the files as they are now, what is unwise in them, and what `running` has not taken up.
    ///
    /// A server goes on with what it read before; nil where none runs. `mistake` is what has kept it from taking the files up.
    static func configuration(
        _ file: ConfigurationFile, running: Deployment?, _ mistake: ReloadMistake = ReloadMistake()
    ) -> FindingSource {
        FindingSource(.configuration, each: .seconds(60)) {
            let weight = running == nil ? ServerFinding.Severity.down : .warning
            if let text = mistake.text {
                return [.warning(.configuration, "the changed configuration is not taken up: \(text)")]
            }
            do {
                let deployment = try file.deployment()
                let catalog = try deployment.metadata(from: PosixFiles())
                let mistakes = ConfigurationMistakes(of: deployment, catalog).sentences
                let review = ConfigurationReview(of: deployment, catalog)
                let certificates = ConfigurationReview.certificateWarnings(deployment) { _ in true }
                let warnings = review.warnings.filter { !certificates.contains($0) }
                let waiting = running.map { deployment.settingsNeedingRestart(since: $0) } ?? []
                return mistakes.map { ServerFinding(.configuration, weight, $0) }
                    + warnings.map { .warning(.configuration, $0) }
                    + (review.notices + waiting.map { "\($0) waits for a restart" }).map { .note(.configuration, $0) }
            } catch {
                return [ServerFinding(.configuration, weight, CommandFailure(serving: error).message)]
            }
        }
    }
}

extension CertificateReview.Finding {
    /// Whether time brings it about.
    fileprivate var isOfTime: Bool {
        switch self {
        case .notValidNow, .endsSoon: true
        case .weakSignature, .shortKey, .notForServers, .otherName, .tooLongValidity: false
        }
    }
}
