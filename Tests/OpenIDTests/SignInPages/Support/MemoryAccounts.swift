import BackendAPI
import ServerCore
import TestSupport
import UAF

/// Accounts of a storage in memory, for reading.
struct MemoryUsers: UserRepository {
    let runner: MemoryTransactionRunner

    func user(named name: UserName) async throws(ServerError) -> User? {
        runner.kept.users.first { $0.name == name || $0.externalID == name }
    }

    func user(
        named name: UserName, withKeyBehind evidence: RequestAuthorization.Evidence
    ) async throws(ServerError) -> User? {
        try await user(named: name)
    }

    func user(_ id: UserID) async throws(ServerError) -> User? { runner.kept.users.first { $0.id == id } }

    func users(after name: UserName?, limit: Int) async throws(ServerError) -> [User] { runner.kept.users }

    func users(
        found search: UserSearch, after place: UserSearch.Place?, limit: Int
    ) async throws(ServerError) -> UserSearch.Page {
        throw .storageUnavailable
    }

    func password(of id: UserID) async throws(ServerError) -> PasswordRecord? { nil }

    func add(
        _ user: User, mayBeAlike: Bool, password: PasswordRecord?, event: AuditEvent
    ) async throws(ServerError) {
        throw .storageUnavailable
    }

    func setPassword(_ password: PasswordRecord, of id: UserID, event: AuditEvent) async throws(ServerError) {
        throw .storageUnavailable
    }

    func setStatus(_ status: User.Status, of id: UserID, event: AuditEvent) async throws(ServerError) {
        throw .storageUnavailable
    }

    func endLogins(of id: UserID, event: AuditEvent) async throws(ServerError) { throw .storageUnavailable }

    func remove(_ id: UserID, event: AuditEvent) async throws(ServerError) { throw .storageUnavailable }
}

/// Dispatch targets of a storage in memory, for reading.
struct MemoryTargets: DispatchTargetRepository {
    let runner: MemoryTransactionRunner

    func target(_ id: DispatchTargetID) async throws(ServerError) -> OwnedTarget? {
        try await runner.read { snapshot throws(ServerTransactionFailure) in try snapshot.target(id) }
    }

    func targets(of user: UserID) async throws(ServerError) -> [DispatchTarget] {
        runner.kept.targets.filter { $0.userID == user }
    }

    func unsetPush(
        _ destination: PushDestination, of id: DispatchTargetID, event: AuditEvent
    ) async throws(ServerError) {
        throw .storageUnavailable
    }

    func purgeRequests(before time: Timestamp, limit: Int) async throws(ServerError) -> Int { 0 }
}
