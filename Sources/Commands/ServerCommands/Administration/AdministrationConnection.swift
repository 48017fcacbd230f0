import BackendAPI
import CommandSupport
import Octets
import OpenID
import ServerAdministration
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerHTTP
import ServerPersistence
import SignInPages
import StrictJSON
import UAFService

/// Way of a command to the administration API: to a server, or to the services in this process.
protocol AdministrationConnection {
    /// Name of the server in messages.
    var name: String { get }

    /// Answer to a request that was done; throws ``CommandFailure`` for a refusal, and when there is no server.
    func answer(to request: AdministrationRequest) async throws -> AdministrationReply
}

extension AdministrationConnection {
    /// Answer to a request, for which the version of what it changes is read first.
    func perform(_ request: AdministrationRequest) async throws -> AdministrationReply {
        var request = request
        if let reader = request.readerOfVersion {
            let seen = try await answer(to: reader)
            guard let version = seen.version else { throw CommandFailure.foreignAnswer(name) }
            request.version = version
        }
        return try await answer(to: request)
    }

    /// Passes the answer to `show`, and for the `isWhole` list each further page.
    func pages(
        of request: AdministrationRequest, isWhole: Bool, _ show: (AdministrationReply) throws -> Void
    ) async throws {
        var request = request
        while true {
            let reply = try await perform(request)
            try show(reply)
            guard isWhole, let next = reply.next else { return }
            // A server that goes in a circle would never end.
            guard !next.hasSameOctets(as: request.position ?? "") else { throw CommandFailure.foreignAnswer(name) }
            request.position = next
        }
    }
}

extension AdministrationConnection {
    /// Passes the records of a chain of the audit behind one, up to the one numbered `end`, to `body` in their order.
    func records(
        of chain: String, after first: Int64 = 0, through end: Int64 = .max, _ body: (JSONObject) throws -> Void
    ) async throws {
        var position = first
        while position < end {
            let reply = try await answer(
                to: .init(.auditRecords, query: ["chain": chain, "after": String(position)]))
            guard !reply.values.isEmpty else { return }
            for value in reply.values {
                guard case .object(let record) = value, let sequence = record.number("sequence").map(Int64.init),
                    sequence > position
                else { throw CommandFailure.foreignAnswer(name) }
                guard sequence <= end else { return }
                try body(record)
                position = sequence
            }
        }
    }
}

/// Connection to services in this process, in the name of the account that runs it.
struct ServiceConnection: AdministrationConnection {
    let name: String
    let service: AdministrationService

    func answer(to request: AdministrationRequest) async throws -> AdministrationReply {
        let answer = await answer(request)
        let type = request.operation.endpoint.responseTypes.first?.fieldValue
        return try AdministrationReply(
            operation: request.operation, status: answer.status, type: type, version: answer.version,
            body: answer.body ?? []
        ).done(by: name, .account)
    }

    private func answer(_ request: AdministrationRequest) async -> AdministrationAnswer {
        do throws(AdministrationRefusal) {
            var call = try AdministrationCall(
                request.operation, by: .account(.ofProcess()), in: [.operator], because: request.reason,
                client: ClientContext())
            call.object = request.object
            call.query = Dictionary(request.parameters.map { ($0.name, $0.value) }) { _, last in last }
            call.body = request.body?.content ?? []
            call.version = request.version
            return try await service.answer(call)
        } catch {
            return AdministrationAnswer(error)
        }
    }
}

/// Connection to an installation without a server, which it opens for the first request.
final class InstallationConnection {
    private let deployment: Deployment
    private var installation: ServerInstallation?

    init(_ deployment: Deployment) { self.deployment = deployment }

    /// Throws `serverUnreachable` while a server has the database, which does not answer at its socket.
    func answer(to request: AdministrationRequest) async throws -> AdministrationReply {
        let opened = try await opened(for: request)
        if [.dispatch, .invite].contains(request.operation) {
            opened.services.ports.dispatchers.replace(
                with: try ConfiguredDispatchers.open(deployment.uaf.dispatchers, logger: ServerLog.quiet))
        }
        return try await ServiceConnection(
            name: "the database \(deployment.database.place)", service: AdministrationService(of: opened.sites)
        ).answer(to: request)
    }

    func close() throws { try installation?.close() }

    private func opened(for request: AdministrationRequest) async throws -> ServerInstallation {
        if let installation { return installation }
        guard !DatabaseLease.isHeld(on: deployment.leaseFile) else { throw Self.busy("a server", deployment) }
        // What only reads is about a database that is there; a user may be the first content of a new one.
        let opened = try await ServerInstallation.open(
            deployment, origin: deployment.origin, logger: ServerLog.quiet,
            by: .command(.ofProcess(), expecting: request.operation.needsReason ? .any : .content))
        installation = opened
        if let server = try await RunningServers.name(on: opened.database.tables, at: opened.clock.now()) {
            throw Self.busy("the server \(ForeignText.name(server))", deployment)
        }
        return opened
    }

    private static func busy(_ who: String, _ deployment: Deployment) -> CommandFailure {
        .local(
            "serverUnreachable",
            "\(who) runs on \(deployment.database.place), but does not answer here: run the command on its machine, or name "
                + "its listener (--server, --key-file)",
            isRetryable: true)
    }
}

extension AdministrationService {
    /// Administration with the pages of the server for exports.
    init(
        of server: OpenIDServer, people: AdministrationPeople = AdministrationPeople(),
        findings: @escaping @Sendable () async -> [ServerFinding] = { [] }
    ) throws {
        let pages = try SignInPages(server, issuer: "")
        self.init(server, people: people, findings: findings, page: { pages.personFile($0) })
    }
}
