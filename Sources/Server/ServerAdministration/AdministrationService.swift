package import OpenID
import ServerCore
package import UAFService

/// Administration of a running server: one entry for the network, the console and commands.
///
/// Rights, reasons and versions are judged here, whoever calls. What a call writes names its sender in the audit.
package struct AdministrationService: Sendable {
    let server: OpenIDServer
    package var services: ServerServices { server.services }

    package init(_ server: OpenIDServer) { self.server = server }

    /// Does what a call asks for, or refuses it as a whole.
    package func answer(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let operation = call.operation
        guard operation.roles.contains(call.act.role) else { throw .forbidden }
        guard call.act.reason != nil || !operation.needsReason else { throw .reasonMissing }
        guard call.version != nil || !operation.needsVersion else { throw .versionMissing }
        let result: Result<AdministrationAnswer, AdministrationRefusal>
        result = await AdministrativeAct.$current.withValue(call.act) {
            do throws(AdministrationRefusal) {
                return .success(try await perform(call))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func perform(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        switch call.operation {
        case .listUsers: try await listUsers(call)
        case .addUser: try await addUser(call)
        case .user: try await user(call)
        case .changeUser: try await changeUser(call)
        case .removeUser: try await removeUser(call)
        }
    }

    // MARK: - Ways to the services

    /// Result of a service, whose error refuses the call.
    func passing<Value>(
        _ body: () async throws(ServerError) -> Value
    ) async throws(AdministrationRefusal) -> Value {
        do throws(ServerError) {
            return try await body()
        } catch {
            throw AdministrationRefusal(error)
        }
    }

    /// Result of one transaction, which writes nothing when it refuses.
    func transaction<Value: Sendable>(
        _ body:
            @escaping @Sendable (any OpenIDTransaction) throws(ServerTransactionFailure) -> Result<
                Value, AdministrationRefusal
            >
    ) async throws(AdministrationRefusal) -> Value {
        let result = try await passing { () async throws(ServerError) in
            try await server.transactions.transaction(body)
        }
        return try result.get()
    }

    func read<Value: Sendable>(
        _ body: @escaping OpenIDSnapshotBody<Value>
    ) async throws(AdministrationRefusal) -> Value {
        try await passing { () async throws(ServerError) in try await server.transactions.read(body) }
    }
}
