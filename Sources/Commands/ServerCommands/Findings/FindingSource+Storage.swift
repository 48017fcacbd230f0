import CommandSupport
import OpenID
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerPersistence
import ServerPersistenceSQLite
import UAF
import UAFService

extension FindingSource {
    /// Age of the last backup; nothing of a database on a server, whose backups others write.
    static func backup(_ deployment: Deployment, now: @escaping @Sendable () -> Timestamp) -> FindingSource {
        FindingSource(.backup) {
            guard deployment.database.file != nil else { return [] }
            let note = BackupNote(besides: deployment.leaseFile)
            guard let time = note.time else {
                return [.note(.backup, "\"signet-server backup\" has written none of this database")]
            }
            guard now() - time > .seconds(8 * 86_400) else { return [] }
            return [.warning(.backup, "the last backup is of \(time.iso8601)")]
        }
    }

    /// A database that was put back; `isServed` while a server runs on it.
    static func restoredCopy(_ marks: DatabaseMarks, isServed: Bool) -> FindingSource {
        FindingSource(.restoredCopy, each: .seconds(60)) {
            guard let failure = try? await marks.failure() else { return [] }
            return [ServerFinding(.restoredCopy, isServed ? .warning : .down, failure.message)]
        }
    }

    /// Share of the users with keys who have none that a policy takes.
    static func policies(_ file: ConfigurationFile, _ statistics: any DecoyStatistics) -> FindingSource {
        FindingSource(.policies, each: .seconds(600)) {
            guard let deployment = try? file.deployment(),
                let catalog = try? deployment.metadata(from: PosixFiles()),
                let users = try? await statistics.sample(limit: 4_096)
            else { return [] }
            let review = PolicyReview(deployment.uaf, catalog)
            let known = users.filter { !$0.isEmpty }
            let refused = known.filter { !review.takes($0) }
            guard !refused.isEmpty else { return [] }
            let models = Set(refused.joined()).map(\.text).sorted().joined(separator: ", ")
            return [
                .warning(
                    .policies,
                    "\(refused.count) of \(known.count) users with keys can meet no policy: their models are \(models)")
            ]
        }
    }

    /// Messages to other systems that were tried in vain.
    static func outgoing(_ sites: OpenIDServer) -> FindingSource {
        FindingSource(.outgoing, each: .seconds(30)) {
            let administration = OutgoingAdministration(sites)
            guard let waiting = try? await administration.messages(.waiting, limit: 200),
                let dead = try? await administration.messages(.dead, limit: 200)
            else { return [] }
            let late = Dictionary(grouping: waiting.filter { $0.lastFailure != nil }, by: \.destination)
            let lost = Dictionary(grouping: dead, by: \.destination)
            return Set(late.keys).union(lost.keys).sorted().map { name in
                let (late, lost) = (late[name] ?? [], lost[name] ?? [])
                let kind = (late + lost).first?.kind.rawValue ?? ""
                let failure = (late + lost).compactMap(\.lastFailure).first ?? "unknown"
                return .warning(
                    .outgoing,
                    "\(kind) \(name): \(late.count) wait after a failed try, \(lost.count) were given up (\(failure))")
            }
        }
    }

    /// Subscribers of the audit that do not read on.
    static func subscribers(_ services: ServerServices) -> FindingSource {
        FindingSource(.subscribers, each: .seconds(60)) {
            let (storage, now) = (services.storage, services.ports.clock.now())
            return (try? await standing(in: storage, since: now - .seconds(600))) ?? []
        }
    }

    private static let backlog: Int64 = 1_000

    private static func standing(
        in storage: Storage, since time: Timestamp
    ) async throws(ServerError) -> [ServerFinding] {
        let places = try await storage.read { snapshot throws(ServerTransactionFailure) in
            var places: [(name: String, places: [String: Int64])] = []
            for name in try snapshot.subscribers() { places.append((name, try snapshot.places(of: name))) }
            return places
        }
        var findings: [ServerFinding] = []
        for chain in try await storage.audit.chains() {
            guard let end = try await storage.audit.end(of: chain)?.sequence else { continue }
            for (name, places) in places {
                let place = places[chain] ?? 0
                guard place < end else { continue }
                let old = try await storage.audit.lastRecord(of: chain, before: time, after: place, limit: 1).head
                guard end - place > backlog || old != nil else { continue }
                findings.append(
                    .warning(.subscribers, "\(name) has read \(chain) up to record \(place) of \(end)"))
            }
        }
        return findings
    }

    /// Pages of a database file, all of which are read.
    static func integrity(_ deployment: Deployment) -> FindingSource {
        FindingSource(.integrity) {
            guard let file = deployment.database.file else { return [] }
            do throws(ServerPersistenceError) {
                let database = try SQLiteDatabase(backup: file, isReadOnly: true)
                let damage = try database.damage()
                try database.close()
                return damage.map { [.down(.integrity, "\(file): \($0.replacing("\n", with: " "))")] } ?? []
            } catch {
                return [.down(.integrity, CommandFailure(database: error, place: file).message)]
            }
        }
    }
}
