import BackendAPI
import DemoCommands
import Foundation
import OpenID
import ServerCore
import ServerPersistence
import ServerPersistenceSQLite
import Testing
import UAF
import UAFService

/// What an administrator does to the database of a server that runs.
struct Administration {
    private let server: LocalServer

    /// Administers a server.
    init(of server: LocalServer) {
        self.server = server
    }

    /// Gives a device another name.
    func rename(_ target: String, to name: String) async throws {
        var change = TargetChange()
        change.name = DeviceName(name)
        try await self.change(target, change, .targetRenamedByAdministrator)
    }

    /// Takes the push token of a device away.
    func unsetPush(_ target: String) async throws {
        var change = TargetChange()
        change.unsetsDestination = true
        try await self.change(target, change, .pushUnsetByAdministrator)
    }

    /// Removes the record of a device.
    func removeTarget(_ target: String) async throws {
        let id = try #require(DispatchTargetID(text: target))
        try await withStorage { storage in
            let now = SystemWallClock().now()
            let owner = try #require(try await storage.targets.target(id)).user
            let grant = RequestAuthorization.Login(
                user: owner, methods: [.fidoUAF], evidence: RequestAuthorization.Evidence(authenticatedAt: now))
            let refusal = try await storage.transaction { transaction throws(ServerTransactionFailure) in
                try ChangeTarget(in: transaction)
                    .remove(id, by: grant, event: AuditEvent(.targetDeleted, at: now))
            }
            #expect(refusal == nil)
        }
    }

    /// The models of a user's credentials, oldest first.
    func models(of user: String) async throws -> [String] {
        try await withStorage { storage in try await Self.holder(user, storage).credentials.map(\.id.aaid.text) }
    }

    /// Removes the credential of a model.
    func removeCredential(_ aaid: String, of user: String) async throws {
        try await withStorage { storage in
            let holder = try await Self.holder(user, storage)
            let ids = holder.credentials.map(\.id).filter { $0.aaid.text == aaid }
            let event = AuditEvent(.credentialRemoved, at: SystemWallClock().now(), userID: holder.user.id)
            let removed = try await storage.transaction { transaction throws(ServerTransactionFailure) in
                try RemoveCredential(in: transaction).remove(ids, of: holder.user.id) { _ in event }
            }
            #expect(removed.count == 1)
        }
    }

    private func change(_ target: String, _ change: TargetChange, _ kind: AuditEvent.Kind) async throws {
        try await withStorage { storage in
            let id = try #require(DispatchTargetID(text: target))
            let event = AuditEvent(kind, at: SystemWallClock().now())
            let refusal = try await storage.transaction { transaction throws(ServerTransactionFailure) in
                try ChangeTarget(in: transaction).change(id, change, event: event)
            }
            #expect(refusal == nil)
        }
    }

    private static func holder(_ user: String, _ storage: Storage) async throws -> CredentialHolder {
        let name = try #require(UserName(user))
        return try #require(try await storage.credentials.holder(named: name))
    }

    private func withStorage<Value>(_ body: (Storage) async throws -> Value) async throws -> Value {
        let database = try SQLiteDatabase(path: server.databaseFile.path())
        let value = try await body(SQLStorage(on: database, chainID: "administration").ports)
        try database.close()
        return value
    }
}
