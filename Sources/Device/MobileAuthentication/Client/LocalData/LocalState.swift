import HardwareKeys
import Locking
import Octets
import UAF
import UAFClient

/// Local data of a client: the store, with a snapshot taken after the last change.
final class LocalState: LocalData, UnsettledAccounts, AuthenticatorStore {
    private let store: any AuthenticatorStore
    private let server: ConfiguredServer
    private let latest: Lock<DeviceSnapshot>
    private let watchers = AccountWatchers()

    /// Takes the store of an application that is configured for a server.
    init(_ store: any AuthenticatorStore, for server: ConfiguredServer) async throws(CeremonyFailure) {
        self.store = store
        self.server = server
        latest = Lock(try await store.snapshot().configured(for: server))
    }

    private var device: DeviceSnapshot { latest.withLock { $0 } }

    /// Takes a new snapshot of store and platform; the old one stays while the store cannot be read.
    func refresh() async {
        _ = try? await snapshot()
    }

    private func keep(_ device: DeviceSnapshot) {
        latest.withLock { $0 = device }
        watchers.tell(device.accounts)
    }

    // MARK: - For the application

    var accounts: [any Account] { device.accounts }

    var accountsStream: AsyncStream<[any Account]> { watchers.stream(beginningWith: device.accounts) }

    var authenticators: [any Authenticator] {
        let store = store
        return device.authenticators.map { authenticator in
            guard let aaid = AAID(authenticator.aaid) else { return authenticator }
            return authenticator.following { store.supportAtOnce(of: aaid) }
        }
    }

    var deviceInformation: DeviceInformation? { device.deviceInformation }

    var damagedRegistrationCount: Int { device.damagedCount }

    var usersOfUntoldDeletions: [Username] { device.departed.map(\.target.username.text) }

    var unansweredRegistrations: [any Account] {
        device.unanswered.map {
            RegisteredAccount(username: $0.username.text, server: RegisteredServer(baseUrl: $0.server.url))
        }
    }

    /// Deletes on the calling thread itself, so that it cannot deadlock with the main actor or a thread pool.
    ///
    /// The keys are out of the vault when it returns, unless the vault refuses: then the next operation, or the next
    /// start, takes them out.
    func deleteAuthenticator(username: Username, aaid: String?) throws(DeleteAuthenticatorError) {
        try BlockingBridge.wait { () async throws(DeleteAuthenticatorError) in try await self.delete(username, aaid) }
    }

    @concurrent
    func removeAuthenticator(username: Username, aaid: String?) async throws(DeleteAuthenticatorError) {
        try await delete(username, aaid)
    }

    private func delete(_ username: Username, _ aaid: String?) async throws(DeleteAuthenticatorError) {
        let kind = aaid.flatMap { AuthenticatorAaid(rawValue: $0) }
        guard (aaid == nil) == (kind == nil) else { throw .InvalidAaid(cause: nil) }
        do throws(CeremonyFailure) {
            let keys = try await store.snapshot().scopes.flatMap(\.keys).filter { credential in
                credential.username.text.hasSameOctets(as: username)
                    && (kind == nil || AuthenticatorAaid(rawValue: credential.id.aaid.text) == kind)
            }
            guard !keys.isEmpty else { return }
            try await deleteHere(keys.map(\.id))
            await destroyForgottenKeys()
        } catch {
            throw .Unknown(cause: error.publicCause)
        }
    }

    @concurrent
    func removeDamagedRegistrations() async throws(DeleteAuthenticatorError) {
        do throws(CeremonyFailure) {
            try await giveUpDamaged()
            await destroyForgottenKeys()
        } catch {
            throw .Unknown(cause: error.publicCause)
        }
    }

    // MARK: - For the operations

    func snapshot() async throws(CeremonyFailure) -> DeviceSnapshot {
        let device = try await store.snapshot().configured(for: server)
        keep(device)
        return device
    }

    func supportAtOnce(of aaid: AAID) -> PlatformSupport? { store.supportAtOnce(of: aaid) }

    func requireDeviceLock() async throws(CeremonyFailure) {
        do throws(CeremonyFailure) {
            try await store.requireDeviceLock()
        } catch {
            await refresh()
            throw error
        }
    }

    func confirm(_ credential: CredentialID, target: String?) async throws(CeremonyFailure) {
        try await store.confirm(credential, target: target)
        await refresh()
    }

    func promote(_ credentials: [CredentialID]) async throws(CeremonyFailure) {
        try await store.promote(credentials)
        await refresh()
    }

    func markUnusable(_ credential: CredentialID) async throws(CeremonyFailure) {
        try await store.markUnusable(credential)
        await refresh()
    }

    func remove(_ credentials: [CredentialID]) async throws(CeremonyFailure) {
        try await store.remove(credentials)
        await refresh()
    }

    func deleteHere(_ credentials: [CredentialID]) async throws(CeremonyFailure) {
        try await store.deleteHere(credentials)
        await refresh()
    }

    func forgetDeparted(_ identifiers: [String], at server: ServerAddress) async throws(CeremonyFailure) {
        try await store.forgetDeparted(identifiers, at: server)
        await refresh()
    }

    func giveUpDamaged() async throws(CeremonyFailure) {
        try await store.giveUpDamaged()
        await refresh()
    }

    func requireWritable() async throws(CeremonyFailure) { try await store.requireWritable() }

    func destroyForgottenKeys() async { await store.destroyForgottenKeys() }

    // MARK: - The device itself

    func prepareDevice(
        for server: ServerAddress, _ fresh: DeviceInformation?
    ) async throws(CeremonyFailure) -> PreparedDevice {
        try await store.prepareDevice(for: server, fresh)
    }

    func signForDevice(_ octets: [UInt8], at server: ServerAddress) async throws(CeremonyFailure) -> [UInt8] {
        try await store.signForDevice(octets, at: server)
    }

    func agree(with point: [UInt8], at server: ServerAddress) async throws(CeremonyFailure) -> VaultSecret {
        try await store.agree(with: point, at: server)
    }

    func change(_ changes: [DeviceRecordChange]) async throws(CeremonyFailure) {
        try await store.change(changes)
        await refresh()
    }
}
